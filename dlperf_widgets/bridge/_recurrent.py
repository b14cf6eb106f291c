"""Recurrent layers. They are not run: on the meta device torch would go through every time step."""

from collections.abc import Callable
from functools import partial
from typing import Any

import torch

from ..layers import Dropout, Gru, Layer, Lstm, Rnn
from ._placed import Placed, one


def recurrent(
    kind: type[Gru | Lstm | Rnn], input: Any, hx: Any, params: Any, has_biases: Any = True,
    num_layers: Any = 1, dropout: float = 0.0, train: bool = False, bidirectional: bool = False,
    batch_first: bool = False, *_: Any,
) -> Placed | None:  # fmt: skip
    """Return the layer of a padded batch; of a packed one (other arguments) the products, a level below."""
    if not isinstance(params, tuple | list):
        return None
    first, second = (1, 0) if batch_first else (0, 1)
    steps, batch = input.shape[first], input.shape[second]
    hidden, fed_back = params[1].shape[0] // kind.gates, params[1].shape[1]
    narrowed = {"projection": fed_back} if fed_back != hidden else {}
    layer = kind(batch, steps, input.shape[-1], hidden, num_layers, bidirectional, has_biases, **narrowed)
    layers: dict[str, Layer] = {kind.__name__.lower(): layer}
    width = layer.directions * fed_back
    if train and dropout:
        layers |= {f"dropout{i}": Dropout(batch * steps * width) for i in range(1, num_layers)}
    states = hx if isinstance(hx, tuple | list) else [hx]

    def result() -> Any:
        return (input.new_empty(*input.shape[:-1], width), *(state.clone() for state in states))

    return Placed(layers, result)


def cell(kind: type[Gru | Lstm | Rnn], input: Any, hx: Any, w_ih: Any, w_hh: Any, b_ih: Any = None,
         b_hh: Any = None) -> Placed:  # fmt: skip
    """Return a layer of one time step."""
    batch = input.shape[0]
    return one(kind(batch, 1, input.shape[-1], w_hh.shape[1], bias=b_ih is not None))


RECURRENT: dict[Any, Callable[..., Placed | None]] = {
    torch.lstm: partial(recurrent, Lstm),
    torch.gru: partial(recurrent, Gru),
    torch.rnn_tanh: partial(recurrent, Rnn),
    torch.rnn_relu: partial(recurrent, Rnn),
    torch.lstm_cell: partial(cell, Lstm),
    torch.gru_cell: partial(cell, Gru),
    torch.rnn_tanh_cell: partial(cell, Rnn),
    torch.rnn_relu_cell: partial(cell, Rnn),
}

"""From other libraries and to them: PyTorch modules become layers, scenarios become pandas tables.

Importing this package loads neither library.
"""

from .from_torch import from_torch as from_torch
from .model import TorchModel as TorchModel
from .model import Unplaced as Unplaced
from .pandas import to_dataframe as to_dataframe

MODELS: tuple[type[TorchModel], ...] = (TorchModel,)

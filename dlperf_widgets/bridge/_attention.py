"""Attention, seen as the functions that all of torch's modules call."""

from typing import Any

from ..layers import Attention, Layer, Linear
from ._placed import Placed, rows


def scaled_dot_product_attention(
    query: Any, key: Any, value: Any, attn_mask: Any = None, dropout_p: float = 0.0, is_causal: bool = False,
    scale: Any = None, enable_gqa: bool = False,
) -> Placed | None:  # fmt: skip
    """Return the kernel. Tensors are (..., heads, sequence, head dimension), or (batch, sequence, ...)."""
    heads, kv_heads = (t.shape[-3] if t.dim() > 3 else 1 for t in (query, key))
    *_, queries, width = query.shape
    keys, batch = key.shape[-2], rows(query.shape, 2) // heads
    if (width + value.shape[-1]) % 2:
        return None
    # Q K' takes the width of the queries, P V that of the values: their mean stands for both
    sizes = (heads, (width + value.shape[-1]) // 2, kv_heads)
    # torch aligns the mask to the first key, the layer to the last
    if not is_causal or queries <= keys:
        seen = queries if is_causal else keys
        return Placed({"attention": Attention(batch, queries, seen, *sizes, causal=is_causal)})
    beyond = Attention(batch, queries - keys, keys, *sizes)  # these queries see every key
    return Placed({"attention": Attention(batch, keys, keys, *sizes, causal=True), "beyond": beyond})


def multi_head_attention(
    query: Any, key: Any, value: Any, embed_dim_to_check: int, num_heads: int, in_proj_weight: Any,
    in_proj_bias: Any, bias_k: Any, bias_v: Any, add_zero_attn: bool, dropout_p: float,
    out_proj_weight: Any, out_proj_bias: Any, training: bool = True, key_padding_mask: Any = None,
    need_weights: bool = True, attn_mask: Any = None, use_separate_proj_weight: bool = False,
    *_: Any, is_causal: bool = False, **__: Any,
) -> Placed:  # fmt: skip
    """Return projections, attention and output projection. Tensors are (sequence, batch, width)."""
    batch = query.shape[1] if query.dim() == 3 else 1
    queries, width = query.shape[0], query.shape[-1]
    keys = key.shape[0] + (bias_k is not None) + add_zero_attn
    bias = in_proj_bias is not None
    layers = _projections(query, key, value, width, bias, use_separate_proj_weight)
    # with weights asked for, all scores are computed and stored
    fused = not need_weights
    causal = is_causal and key_padding_mask is None and fused and queries == keys
    layers["attention"] = Attention(
        batch, queries, keys, num_heads, width // num_heads, causal=causal, fused=fused
    )
    layers["output"] = Linear(batch * queries, width, width, out_proj_bias is not None)
    return Placed(layers)


def _projections(
    query: Any, key: Any, value: Any, width: int, bias: bool, separate: bool
) -> dict[str, Layer]:
    """Return one product where inputs are the same tensor, as torch does, else two or three."""
    if separate or key is not value:
        named = {"q": query, "k": key, "v": value}
        return {name: Linear(rows(t.shape), t.shape[-1], width, bias) for name, t in named.items()}
    if query is key:
        return {"qkv": Linear(rows(query.shape), width, 3 * width, bias)}
    return {
        "q": Linear(rows(query.shape), width, width, bias),
        "kv": Linear(rows(key.shape), width, 2 * width, bias),
    }

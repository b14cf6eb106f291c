"""Blocks that the transformers share."""

from ..layers import Activation, Layer, LayerNorm, Linear, MultiheadAttention, Residual, RmsNorm, Sequence


def mlp(rows: int, width: int, inner: int, act: str = "gelu") -> dict[str, Layer]:
    """Return two linear layers with biases around an activation."""
    return {
        "up": Linear(rows, width, inner),
        "act": Activation(rows * inner, kind=act),
        "down": Linear(rows, inner, width),
    }


def gated_mlp(rows: int, width: int, inner: int) -> dict[str, Layer]:
    """Return SwiGLU: gate and up in one product without bias, their gated product, and down."""
    return {
        "gate_up": Linear(rows, width, 2 * inner, bias=False),
        "act": Activation(rows * inner, kind="swiglu"),
        "down": Linear(rows, inner, width, bias=False),
    }


def pre_norm_block(rows: int, width: int, attention: MultiheadAttention, inner: int) -> Sequence:
    """Return x + attention(norm(x)), then x + mlp(norm(x)): GPT-2's and ViT's."""
    return Sequence.of(
        attention=Residual(Sequence.of(norm=LayerNorm(rows, width), heads=attention)),
        mlp=Residual(Sequence.of(norm=LayerNorm(rows, width), **mlp(rows, width, inner))),
    )


def post_norm_block(rows: int, width: int, attention: MultiheadAttention, inner: int) -> Sequence:
    """Return norm(x + attention(x)), then norm(x + mlp(x)): BERT's."""
    return Sequence.of(
        attention=Residual(attention),
        attention_norm=LayerNorm(rows, width),
        mlp=Residual(Sequence.of(**mlp(rows, width, inner))),
        mlp_norm=LayerNorm(rows, width),
    )


def llama_block(rows: int, width: int, attention: MultiheadAttention, inner: int) -> Sequence:
    """Return x + attention(rms(x)), then x + swiglu(rms(x)), without biases."""
    return Sequence.of(
        attention=Residual(Sequence.of(norm=RmsNorm(rows, width), heads=attention)),
        mlp=Residual(Sequence.of(norm=RmsNorm(rows, width), **gated_mlp(rows, width, inner))),
    )

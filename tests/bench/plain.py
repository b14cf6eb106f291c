"""What anyone would write first: flops over a rate and bytes over a bandwidth, the larger of both, added up.

Such formulas, one line an operation, are how calculon (Isaev et al., 2023) and many a spreadsheet estimate
training. They know no tiles, waves, caches, alignment or launches: this is the least that asking can cost.
"""

PEAK, BANDWIDTH, SIZE = 312e12, 2.04e12, 2  # A100 in FP16
RATE, SHARE = 0.8, 0.9  # of the peaks that is reached


def product(m: int, n: int, k: int) -> float:
    """Return the seconds of a matrix product."""
    return max(2 * m * n * k / (RATE * PEAK), SIZE * (m * k + k * n + m * n) / (SHARE * BANDWIDTH))


def moved(elements: float) -> float:
    """Return the seconds of a pass over memory."""
    return SIZE * elements / (SHARE * BANDWIDTH)


def trained(m: int, n: int, k: int) -> float:
    """Return the seconds of a product and of its two gradients."""
    return product(m, n, k) + product(m, k, n) + product(k, n, m)


def linear(batch: int, inputs: int, outputs: int) -> float:
    """Return a training step of a fully-connected layer."""
    return trained(batch, outputs, inputs)


def resnet50(batch: int) -> float:
    """Return a training step of ResNet-50: each convolution as a product, and the passes after it."""
    seconds, given, size = trained(batch * 112 * 112, 64, 3 * 49) + moved(6 * batch * 64 * 112 * 112), 64, 56
    for stage, blocks in enumerate((3, 4, 6, 3)):
        width = 64 << stage
        for block in range(blocks):
            before, size = size, 56 >> stage
            shapes = [(before, given, width), (size, 9 * width, width), (size, width, 4 * width)]
            shapes += [(size, given, 4 * width)] if block == 0 else []
            for pixels, k, n in shapes:
                elements = batch * pixels * pixels
                seconds += trained(elements, n, k) + moved(6 * elements * n)
            given = 4 * width
    return seconds + trained(batch, 1000, 2048)


def gpt3(batch: int, sequence: int = 2048, width: int = 12288, heads: int = 96, blocks: int = 96) -> float:
    """Return a training step of GPT-3: one block's operations, as often as there are blocks."""
    tokens, many, head = batch * sequence, batch * heads, width // heads
    block = trained(tokens, 3 * width, width) + trained(tokens, width, width)
    block += trained(tokens, 4 * width, width) + trained(tokens, width, 4 * width)
    block += many * (trained(sequence, sequence, head) + trained(sequence, head, sequence))
    block += (
        moved(6 * many * sequence * sequence) + moved(2 * 5 * tokens * width) + moved(3 * 4 * tokens * width)
    )
    return blocks * block + trained(tokens, 50257, width)

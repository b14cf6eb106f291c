"""A small one of every layer and network, which a CPU runs in a moment."""

from dlperf_widgets import layers, models
from dlperf_widgets.layers import Layer

SMALL: dict[str, Layer] = {
    type(layer).__name__: layer
    for layer in (
        layers.Linear(4, 8, 16),
        layers.Conv1d(2, 4, 8, 16, 3),
        layers.Conv2d(2, 4, 8, 9, 8, 3, 3, stride=2, padding="same"),  # an odd pixel of padding at one end
        layers.Conv3d(2, 4, 8, 4, 8, 8, 3, 3, 3),
        layers.ConvTranspose1d(2, 4, 8, 16, 3, stride=2),
        layers.ConvTranspose2d(2, 4, 8, 8, 8, 3, 3, stride=2, output_padding=1),
        layers.ConvTranspose3d(2, 4, 8, 4, 4, 4, 2, 2, 2),
        layers.DepthwiseSeparable(2, 8, 16, 8, 8),
        layers.Rnn(2, 3, 8, 16),
        layers.Lstm(2, 3, 8, 16),
        layers.Gru(2, 3, 8, 16, layers=2, bidirectional=True),
        layers.Attention(2, 16, 16, 4, 8, kv_heads=2),
        layers.MultiheadAttention(2, 8, 16, 4),
        layers.Matmul(2, 4, 8, 16),
        layers.BatchNorm2d(2, 8, 4, 4),
        layers.LayerNorm(8, 16),
        layers.RmsNorm(8, 16),
        layers.GroupNorm(2, 8, 4, 4, groups=4),
        layers.InstanceNorm2d(2, 8, 4, 4, affine=True),
        layers.Activation(64),
        layers.Add(64),
        layers.Multiply(64),
        layers.Softmax(8, 16),
        layers.Pool2d(2, 4, 9, 9, ceil_mode=True, stride=2),
        layers.GlobalPool2d(2, 4, 8, 8),
        layers.Dropout(64),
        layers.CrossEntropy(8, 16),
        layers.MseLoss(64),
        layers.Embedding(8, 16, 32),
        layers.ClassToken(2, 4, 8),
        layers.Take(2, 4, 8),
        layers.OptimizerStep(64),
    )
}
NETWORKS = (
    models.AlexNet(2),
    models.Vgg16(),
    models.ResNet18(size=64),
    models.ResNet50(size=64, version="v1"),
    models.MobileNetV1(),
    models.MobileNetV2(),
    models.VitB16(),
    models.Bert("base", sequence=16),
    models.Gpt2(sequence=16),
    models.Gpt3(sequence=16),
    models.Llama("3-8B", sequence=16),
)

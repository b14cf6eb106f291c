"""Networks, as composites of layers. To add one: a frozen dataclass in this package, and a line here."""

from importlib import import_module
from typing import Any

from ._model import Model as Model
from .alexnet import AlexNet as AlexNet
from .bert import Bert as Bert
from .gpt import Gpt2 as Gpt2
from .gpt import Gpt3 as Gpt3
from .llama import Llama as Llama
from .mobilenet import MobileNetV1 as MobileNetV1
from .mobilenet import MobileNetV2 as MobileNetV2
from .resnet import ResNet as ResNet
from .resnet import ResNet18 as ResNet18
from .resnet import ResNet34 as ResNet34
from .resnet import ResNet50 as ResNet50
from .resnet import ResNet101 as ResNet101
from .resnet import ResNet152 as ResNet152
from .vgg import Vgg16 as Vgg16
from .vit import VitB16 as VitB16

MODELS: tuple[type[Model], ...] = (
    AlexNet, Vgg16, ResNet, MobileNetV1, MobileNetV2, VitB16, Bert, Gpt2, Gpt3, Llama,
)  # fmt: skip


def __getattr__(name: str) -> Any:
    # Any torch module as a network. It lives in a part above this one, which may import torch: it is
    # looked up by name when it is first used, so that nothing here depends on that part.
    if name == "from_torch":
        return import_module("..bridge", __name__).from_torch
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

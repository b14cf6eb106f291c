"""Every kind of torch module and function becomes the layer it is, however it is called."""

import pytest

torch = pytest.importorskip("torch")
nn, F = torch.nn, torch.nn.functional

from networks import Calling, kinds, parameters, tokens  # noqa: E402

from dlperf_widgets import layers, models  # noqa: E402

pytestmark = pytest.mark.filterwarnings(
    "ignore:.*torch.nn.utils.weight_norm.* is deprecated:FutureWarning",
    "ignore:.*torch.jit.script.* is deprecated:DeprecationWarning",
)
from_torch = models.from_torch


def products(self, x):
    return (
        F.linear(x, self.w.weight), torch.mm(x, self.w.weight.t()), x @ self.w.weight.t(),
        x[None] @ self.w.weight.T,
        torch.einsum("bi,oi->bo", x, self.w.weight), torch.addmm(self.w.bias, x, self.w.weight.t()),
        self.w.weight @ x.t(), torch.mv(self.w.weight, x[0]), torch.matmul(x[0], self.w.weight.t()),
    )  # fmt: skip


def test_a_product_with_a_weight_is_a_linear_layer():
    model = from_torch(Calling(products, w=nn.Linear(3, 8)), torch.empty(5, 3))
    assert set(kinds(model)) == {"Linear"}
    assert [layer.macs for _, layer in model.layers] == 7 * [5 * 3 * 8] + 2 * [3 * 8]
    assert model.params == 3 * 8 + 8


def test_a_product_of_activations_is_none():
    def forward(self, a, b, c):
        return a @ b, torch.bmm(a, b), torch.baddbmm(c, a, b), torch.einsum("bij,bjk->bik", a, b), a @ b[0]

    inputs = torch.empty(2, 3, 4), torch.empty(2, 4, 5), torch.empty(2, 3, 5)
    model = from_torch(Calling(forward), *inputs)
    assert [layer.macs for _, layer in model.layers if layer.macs] == 5 * [2 * 3 * 4 * 5]
    assert set(kinds(model)) == {"Matmul", "Add"}


IMAGE = (2, 8, 6, 10)


@pytest.mark.parametrize(
    ("module", "shape", "layer"),
    [
        (nn.MaxPool2d(3, 2, 1, ceil_mode=True), IMAGE, layers.Pool2d(*IMAGE, 3, 3, 2, 1, ceil_mode=True)),
        (nn.AvgPool2d((2, 3)), IMAGE, layers.Pool2d(*IMAGE, 2, 3, (2, 3), kind="average")),
        (nn.MaxPool1d(2), (2, 8, 6), layers.Pool2d(2, 8, 1, 6, 1, 2, (1, 2))),
        (nn.AdaptiveAvgPool2d((3, 2)), IMAGE, layers.Pool2d(*IMAGE, 2, 5, kind="average")),
        (nn.AdaptiveAvgPool2d(1), IMAGE, layers.GlobalPool2d(*IMAGE)),
        (nn.AdaptiveMaxPool2d(1), IMAGE, layers.GlobalPool2d(*IMAGE, kind="max")),
        (nn.BatchNorm1d(8), (2, 8, 6), layers.BatchNorm2d(2, 8, 6, 1)),
        (nn.BatchNorm2d(8).eval(), IMAGE, layers.BatchNorm2d(*IMAGE, passes="inference")),
        (nn.GroupNorm(4, 8), IMAGE, layers.GroupNorm(*IMAGE, 4)),
        (nn.InstanceNorm2d(8, affine=True), IMAGE, layers.InstanceNorm2d(*IMAGE, affine=True)),
        (nn.LayerNorm((6, 10)), IMAGE, layers.LayerNorm(16, 60)),
        (nn.LayerNorm(10, elementwise_affine=False), IMAGE, layers.Tied(layers.LayerNorm(96, 10))),
        (nn.RMSNorm(10), IMAGE, layers.RmsNorm(96, 10)),
        (nn.Softmax(1), IMAGE, layers.Softmax(120, 8)),
        (nn.LogSoftmax(-1), IMAGE, layers.Softmax(96, 10)),
        (nn.Dropout(), IMAGE, layers.Dropout(960)),
        (nn.ReLU(inplace=True), IMAGE, layers.Activation(960, inplace=True)),
        (nn.SiLU(inplace=True), IMAGE, layers.Activation(960, "silu")),
        (nn.GELU(), IMAGE, layers.Activation(960, "gelu")),
        (nn.ReLU6(), IMAGE, layers.Activation(960, "relu6")),
        (nn.Hardswish(), IMAGE, layers.Activation(960, "hardswish")),
        (nn.LeakyReLU(), IMAGE, layers.Activation(960, "leaky_relu")),
        (nn.Sigmoid(), IMAGE, layers.Activation(960, "sigmoid")),
        (nn.Tanh(), IMAGE, layers.Activation(960, "tanh")),
        (nn.GLU(), IMAGE, layers.Activation(480, "glu")),
        (nn.LSTMCell(8, 5), (2, 8), layers.Lstm(2, 1, 8, 5)),
        (nn.GRUCell(8, 5), (2, 8), layers.Gru(2, 1, 8, 5)),
    ],
    ids=repr,
)
def test_layer_by_layer(module, shape, layer):
    model = from_torch(module, torch.empty(shape))
    assert [leaf for _, leaf in model.layers] == [layer]
    assert model.unplaced == () and model.params == parameters(module)


@pytest.mark.parametrize("module", [nn.Dropout().eval(), nn.Identity(), nn.Flatten()])
def test_what_does_nothing_has_no_layer(module):
    model = from_torch(module, torch.empty(2, 3))
    assert (model.layers, model.unplaced, model.saved) == ((), (), layers.Saved())


def test_losses():
    logits = torch.empty(6, 9)
    assert from_torch(nn.CrossEntropyLoss(), logits, tokens(6)).layers[0][1] == layers.CrossEntropy(6, 9)
    assert from_torch(nn.MSELoss(), logits, logits.clone()).layers[0][1] == layers.MseLoss(54)


@pytest.mark.parametrize("norm", [nn.utils.weight_norm, nn.utils.parametrizations.weight_norm])
def test_weights_computed_from_others_are_listed_and_counted_once(norm):
    module = norm(nn.Linear(8, 6))
    model = from_torch(module, torch.empty(2, 8))
    assert model.params == parameters(module) == 8 * 6 + 6 + 6
    assert (model.macs, len(model.unplaced)) == (96, 1)


def through_vmap(self, x):
    return torch.vmap(self.fc)(x)


def through_checkpoint(self, x):
    return torch.utils.checkpoint.checkpoint(self.fc, x, use_reentrant=False)


class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight):
        return x @ weight.t()


@pytest.mark.parametrize(
    "forward",
    [
        through_vmap,
        through_checkpoint,
        lambda self, x: Product.apply(x, self.fc.weight),
        lambda self, x: torch.mm(x, self.fc.weight.t(), out=torch.empty(2, 4)),
    ],
)
def test_no_way_to_call_a_product_hides_it(forward):
    assert from_torch(Calling(forward, fc=nn.Linear(3, 4, bias=False)), torch.empty(2, 3)).macs == 24


def product(x: torch.Tensor, weight: torch.Tensor):
    return x @ weight.t()


def test_a_scripted_function_is_seen_too():
    script = torch.jit.script(product)
    module = Calling(lambda self, x: script(x, self.fc.weight), fc=nn.Linear(3, 4))
    assert from_torch(module, torch.empty(2, 3)).macs == 24


def test_a_module_that_names_its_device_or_has_loose_tensors():
    def forward(self, x):
        scale = torch.ones(3, device="cpu") + self.loose + torch.zeros(3)
        return self.fc(x.to("cuda") * scale.cuda()).cpu()

    module = Calling(forward, fc=nn.Linear(3, 4))
    module.loose = torch.ones(3)
    assert from_torch(module, torch.empty(2, 3)).macs == 24

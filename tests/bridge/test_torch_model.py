"""A traced model counts weights once, lists what has no layer, and leaves the module as it was."""

import copy
import json
import sys

import pytest

torch = pytest.importorskip("torch")
nn = torch.nn

import networks  # noqa: E402
from networks import Calling, on_meta, parameters, tokens  # noqa: E402

import dlperf_widgets as dp  # noqa: E402
from dlperf_widgets import layers, models  # noqa: E402
from dlperf_widgets.bridge import TorchModel  # noqa: E402
from dlperf_widgets.cost import text  # noqa: E402

pytestmark = pytest.mark.filterwarnings(
    "ignore:.*torch.jit.script.* is deprecated:DeprecationWarning",
)
from_torch = models.from_torch


def test_tied_weights_count_once():
    module = networks.Gpt()
    model = from_torch(module, tokens(2, 16))
    assert model.params == parameters(module)
    head = dict(model.layers)["head"]
    assert head == layers.Tied(layers.Linear(32, 64, 1000, bias=False))
    assert sum(layer.params for _, layer in model.layers) == model.params


def test_a_module_applied_a_hundred_times():
    def forward(self, x):
        for _ in range(100):
            x = self.fc(x)
        return x

    once = layers.Linear(10_240, 1024, 1024)
    model = from_torch(Calling(forward, fc=nn.Linear(1024, 1024)), torch.empty(10_240, 1024))
    assert model.params == once.params == sum(layer.params for _, layer in model.layers)
    assert model.macs == 100 * once.macs
    assert model.saved.elements == 100 * 10_240 * 1024
    assert len({path for path, _ in model.layers}) == 100  # rows of a table are told apart


def test_what_has_no_layer_is_listed():
    def forward(self, x):
        return torch.cat([self.fc(x), torch.sin(x), torch.sin(x)], dim=1)

    model = from_torch(Calling(forward, fc=nn.Linear(10, 10)), torch.empty(2, 10))
    found = {each.name: each for each in model.unplaced}
    assert set(found) == {"aten.cat", "aten.sin"}
    # 20 elements of the linear layer, twice 20 of sines, 60 of all joined
    assert found["aten.sin"] == ("aten.sin", "", 2, 40, 40 / 120)
    assert found["aten.cat"].share == 60 / 120
    assert "83.3% of all elements put out: aten.cat in the module (50.0%)" in str(model)


def test_str_says_if_everything_has_a_layer():
    told = str(from_torch(networks.LstmClassifier(), tokens(4, 9)))
    assert told.startswith("LstmClassifier: 3 layers,") and told.endswith("every operation has a layer")


def test_the_module_is_left_as_it_was():
    module = nn.Sequential(
        nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.Dropout(), nn.Flatten(), nn.Linear(288, 5)
    )
    module[1].eval()
    calls = []
    module[0].register_forward_hook(lambda *_: calls.append(1))
    module.register_forward_pre_hook(lambda *_: calls.append(1))
    image = torch.randn(2, 3, 8, 8)
    state, training = copy.deepcopy(module.state_dict()), [each.training for each in module.modules()]
    ids, random = [id(p) for p in module.parameters()], torch.get_rng_state()
    gradients = torch.is_grad_enabled()
    from_torch(module, image)
    assert calls == []
    assert [each.training for each in module.modules()] == training
    assert [id(p) for p in module.parameters()] == ids
    assert all(p.device.type == "cpu" and p.requires_grad for p in module.parameters())
    assert all(torch.equal(value, state[key]) for key, value in module.state_dict().items())
    assert len(module[0]._forward_hooks) == len(module._forward_pre_hooks) == 1
    assert not any(each._forward_hooks or each._forward_pre_hooks for each in list(module[1:]))
    assert torch.equal(random, torch.get_rng_state()) and torch.is_grad_enabled() is gradients
    module(image)
    assert len(calls) == 2


def test_it_needs_no_memory():
    # 400 GB of weights and 16 TB of activations in FP32
    module = on_meta(lambda: nn.Sequential(nn.Linear(10**5, 10**6), nn.ReLU(), nn.Linear(10**6, 1)))
    model = from_torch(module, torch.empty(4 * 10**6, 10**5, device="meta"))
    assert model.macs == 4 * 10**6 * (10**11 + 10**6)


def test_inputs_and_outputs_may_be_nested():
    module = Calling(lambda self, given: {"y": [self.fc(given["x"][0])]}, fc=nn.Linear(3, 4))
    model = from_torch(module, {"x": (torch.empty(2, 3), None)})
    assert (model.macs, model.input_shape, model.output_shape) == (24, (2, 3), (2, 4))


def test_a_scenario_of_a_model():
    model = from_torch(networks.Gpt(), tokens(2, 16))
    scenario = dp.Scenario(model, dp.gpus.A100_SXM4_80GB, dp.dtypes.FP16, dp.TRAINING)
    assert scenario.time > 0
    assert sum(c.flops for c in scenario.costs if c.phase is dp.Phase.FPROP) >= model.flops
    first = model.layers[0][0]
    assert not [c for c in scenario.costs if c.path == first and c.phase is dp.Phase.DGRAD]
    assert hash(model) == hash(from_torch(networks.Gpt(), tokens(2, 16)))


def test_its_fields_round_trip():
    model = from_torch(networks.Gpt(), tokens(2, 16))
    data = json.loads(json.dumps(text.layer_to_data(model)))
    given = {key: text._parts_from_data(value) for key, value in data.items() if key != "type"}
    assert TorchModel(**given) == model


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda: from_torch(3), "from_torch takes a torch.nn.Module, not int"),
        (lambda: from_torch(nn.Linear), "from_torch takes a torch.nn.Module, not type"),
        (
            lambda: from_torch(nn.Linear(3, 4), torch.empty(2, 2)),
            "Linear fails on these inputs: RuntimeError: ",
        ),
        (lambda: from_torch(nn.Linear(3, 4)), "Linear fails on these inputs: TypeError: .*missing"),
        (lambda: from_torch(nn.Sequential(torch.jit.script(nn.ReLU())), torch.empty(2)), "scripted module"),
        (lambda: from_torch(nn.LazyLinear(3), torch.empty(2, 2)), "run the module once"),
        (
            lambda: from_torch(Calling(lambda self, x: x if x.sum() > 0 else -x), torch.ones(2)),
            "Calling fails on",
        ),
        (lambda: TorchModel(layers=(("fc", 3),)), "TorchModel: layer fc must be a Layer, not 3"),
        (lambda: TorchModel((), parameters=-1), "TorchModel parameters must be between 0 and .*, not -1"),
    ],
)
def test_bad_input(build, words):
    with pytest.raises(ValueError, match=words):
        build()


def test_without_torch(monkeypatch):
    # the package's attribute of that name is the function
    monkeypatch.setattr(sys.modules["dlperf_widgets.bridge.from_torch"], "find_spec", lambda name: None)
    with pytest.raises(ValueError, match="from_torch needs torch: pip install torch"):
        from_torch(3)


def test_it_is_found_in_three_places():
    assert dp.from_torch is models.from_torch is dp.bridge.from_torch
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = models.nonsense

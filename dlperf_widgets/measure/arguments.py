"""The arguments of ``dlperf measure``, apart from what it does: they are read before anything is loaded."""

import argparse

from . import SECONDS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument("layer", nargs="?", help="a layer or a network, such as Linear or ResNet")
    parser.add_argument("sizes", nargs="*", help="its fields, such as batch=64,128: several are all measured")
    parser.add_argument("--suite", choices=("guide",), help="the layers of NVIDIA's guides, in every format")
    parser.add_argument("--quick", action="store_true", help="the suite in small sizes")
    parser.add_argument("--out", help="a file of JSON lines; what it has already is not measured again")
    parser.add_argument("--dtype", default="FP32")
    parser.add_argument("--training", action="store_true", help="forward and backward")
    parser.add_argument("--launch", default="graph", choices=("graph", "eager", "kernel"))
    parser.add_argument("--gpu", help="whose predictions to compare with; by default the device's own")
    parser.add_argument("--device", help="a torch device; by default the GPU, else the CPU")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of readings for each")
    parser.add_argument("--warm", action="store_true", help="leave the L2 cache as it is between runs")

"""Charts, as plain data. To add one: a function in this package, and a line here."""

from collections.abc import Callable

from ..cost import Scenario
from ._chart import Area as Area
from ._chart import Axis as Axis
from ._chart import Chart as Chart
from ._chart import Line as Line
from ._chart import Mark as Mark
from ._chart import Points as Points
from ._chart import Spans as Spans
from ._options import Described as Described
from ._options import Options as Options
from .alignment import alignment as alignment
from .batches import epoch as epoch
from .batches import throughput as throughput
from .blocks import blocks_by_registers as blocks_by_registers
from .blocks import blocks_by_threads as blocks_by_threads
from .bubbles import bubbles as bubbles
from .candidates import GemmOptions as GemmOptions
from .candidates import tile_candidates as tile_candidates
from .compare import CompareOptions as CompareOptions
from .compare import price_against_time as price_against_time
from .compare import shares_of_peaks as shares_of_peaks
from .duration import duration as duration
from .footprint import footprint_chart as footprint_chart
from .ghost import with_ghost as with_ghost
from .gradients import dynamic as dynamic
from .gradients import loss_scale as loss_scale
from .in_flight import in_flight as in_flight
from .intensity import intensity as intensity
from .kept_in_fp32 import kept_alt as kept_alt
from .kept_in_fp32 import kept_html as kept_html
from .lanes import lanes_alt as lanes_alt
from .lanes import lanes_html as lanes_html
from .layers_bars import ModelOptions as ModelOptions
from .layers_bars import layers_bars as layers_bars
from .layers_roofline import layers_roofline as layers_roofline
from .memory_options import MemoryOptions as MemoryOptions
from .number_line import gaps as gaps
from .number_line import number_line as number_line
from .occupancy_options import OccupancyOptions as OccupancyOptions
from .passes import passes as passes
from .passes_html import passes_alt as passes_alt
from .passes_html import passes_html as passes_html
from .precision_options import PrecisionOptions as PrecisionOptions
from .quantized import quantized_html as quantized_html
from .quantized import quantized_words as quantized_words
from .rate import rate as rate
from .roles import Role as Role
from .roofline import roofline as roofline
from .rounding import rounding_alt as rounding_alt
from .rounding import rounding_html as rounding_html
from .scaling import scaling as scaling
from .separable import separable as separable
from .serving import serving_latency as serving_latency
from .serving import serving_rate as serving_rate
from .serving_options import ServingOptions as ServingOptions
from .serving_step import serving_memory as serving_memory
from .serving_step import serving_step as serving_step
from .shapes import lower as lower
from .shares import shares as shares
from .sizes import SizeOptions as SizeOptions
from .sizes import sizes as sizes
from .step_timeline import step_timeline as step_timeline
from .svg import plain as plain
from .svg import svg as svg
from .switches import switches_alt as switches_alt
from .switches import switches_html as switches_html
from .training_options import TrainingOptions as TrainingOptions

CHARTS: tuple[Callable[[Scenario, Options], Chart], ...] = (roofline, duration, rate, intensity, alignment)

// Waves over the SMs against time: SMs from top to bottom, the idle ones of the last wave hatched.

import { HATCH, IColours, css, mixed, shade } from './colours';
import { clamp } from './layout';
import { IPlan, ISlot } from './plan';
import { nice, ticks, unitOf } from './time';

/** Words on the picture. */
export interface ITimelineWords {
  wave: string; // with {wave}
  sm: string; // with {sm}
  memory: string;
  predicted: string;
}

/** Where the picture's parts are, in CSS pixels. */
export interface IFrame {
  left: number;
  top: number;
  width: number; // of the plot
  height: number;
  end: number; // seconds at its right
}

const MARGIN = { left: 62, right: 14, top: 18, bottom: 58 };
const LEAST_NAMED = 56; // pixels of a wave that bears its name, else a number
const LEAST_NUMBERED = 34; // pixels from one number to the next
const BAR = 9;

export function frame(plan: IPlan, width: number, height: number): IFrame {
  const math = plan.waves * plan.wave_time;
  return {
    left: MARGIN.left,
    top: MARGIN.top,
    width: Math.max(width - MARGIN.left - MARGIN.right, 1),
    height: Math.max(height - MARGIN.top - MARGIN.bottom, 1),
    end: Math.max(math, plan.memory_time, plan.busy_time)
  };
}

/** The turn at a point of the picture, or null. */
export function slotAt(
  plan: IPlan,
  box: IFrame,
  x: number,
  y: number
): ISlot | null {
  const time = ((x - box.left) / box.width) * box.end;
  const wave = Math.floor(time / plan.wave_time);
  const sm = Math.floor(((y - box.top) / box.height) * plan.sms);
  const inside = wave >= 0 && wave < plan.waves && sm >= 0 && sm < plan.sms;
  return inside ? { wave, sm } : null;
}

/** The box of a turn: left, top, width and height. */
export function boxOfSlot(
  plan: IPlan,
  box: IFrame,
  slot: ISlot
): [number, number, number, number] {
  const width = (plan.wave_time / box.end) * box.width;
  const height = box.height / plan.sms;
  return [
    box.left + slot.wave * width,
    box.top + slot.sm * height,
    width,
    height
  ];
}

export function paintTimeline(
  context: CanvasRenderingContext2D,
  plan: IPlan,
  box: IFrame,
  colours: IColours,
  words: ITimelineWords
): void {
  paintWaves(context, plan, box, colours);
  context.fillStyle = colours.text;
  paintWaveNames(context, plan, box, words);
  paintAxes(context, plan, box, words);
  paintMemory(context, plan, box, colours, words);
  paintPrediction(context, plan, box, colours, words);
}

/** At most one rectangle a pixel: of waves narrower than that, the one at the pixel's middle. */
function paintWaves(
  context: CanvasRenderingContext2D,
  plan: IPlan,
  box: IFrame,
  colours: IColours
): void {
  const width = (plan.wave_time / box.end) * box.width;
  const gap = width > 6 ? 1 : 0;
  const step = Math.max(1, 1 / width);
  for (let at = 0; at < plan.waves; at += step) {
    const wave = Math.floor(at);
    const busy = wave === plan.waves - 1 ? plan.tail / plan.sms : 1;
    context.fillStyle = css(mixed(colours, shade(wave, plan.waves)));
    const left = box.left + at * width;
    context.fillRect(
      left,
      box.top,
      Math.max(width - gap, 1),
      busy * box.height
    );
  }
  const idle = 1 - plan.tail / plan.sms;
  const [left, top] = [
    box.left + (plan.waves - 1) * width,
    box.top + (1 - idle) * box.height
  ];
  context.clearRect(left, top, width, idle * box.height);
  context.fillStyle = hatched(context, colours);
  context.fillRect(left, top, Math.max(width - gap, 1), idle * box.height);
  context.strokeStyle = colours.guide;
  context.lineWidth = 1;
  context.strokeRect(box.left, box.top, plan.waves * width, box.height);
}

/** Diagonal stripes, drawn at the canvas's own resolution. */
function hatched(
  context: CanvasRenderingContext2D,
  colours: IColours
): CanvasPattern {
  const scale = context.getTransform().a;
  const size = Math.round(HATCH.period * Math.SQRT2 * scale);
  const tile = new OffscreenCanvas(size, size);
  const brush = tile.getContext('2d')!;
  brush.fillStyle = css(mixed(colours, HATCH.tint));
  brush.fillRect(0, 0, size, size);
  brush.strokeStyle = css(colours.math);
  brush.lineWidth = HATCH.stripe * scale;
  for (const shift of [-size, 0, size]) {
    brush.beginPath();
    brush.moveTo(shift - 1, size + 1);
    brush.lineTo(shift + size + 1, -1);
    brush.stroke();
  }
  const pattern = context.createPattern(tile, 'repeat')!;
  pattern.setTransform(new DOMMatrix().scale(1 / scale));
  return pattern;
}

function paintWaveNames(
  context: CanvasRenderingContext2D,
  plan: IPlan,
  box: IFrame,
  words: ITimelineWords
): void {
  const width = (plan.wave_time / box.end) * box.width;
  context.textAlign = 'center';
  const named = width >= LEAST_NAMED;
  const every = Math.max(nice(LEAST_NUMBERED / width), 1);
  for (let wave = every; wave <= plan.waves; wave += every) {
    const name = named ? words.wave.replace('{wave}', `${wave}`) : `${wave}`;
    context.fillText(name, box.left + (wave - 0.5) * width, box.top - 5);
  }
}

function paintAxes(
  context: CanvasRenderingContext2D,
  plan: IPlan,
  box: IFrame,
  words: ITimelineWords
): void {
  const bottom = box.top + box.height;
  context.textAlign = 'right';
  const sm = (index: number): string => words.sm.replace('{sm}', `${index}`);
  context.fillText(sm(0), box.left - 6, box.top + 9);
  context.fillText(sm(plan.sms - 1), box.left - 6, bottom);
  const [size, unit] = unitOf(box.end);
  context.textAlign = 'center';
  for (const tick of ticks(box.end, Math.max(Math.floor(box.width / 70), 2))) {
    const x = box.left + (tick / box.end) * box.width;
    context.fillRect(x - 0.5, bottom, 1, 4);
    const label = `${Number((tick / size).toPrecision(6))}`;
    context.fillText(tick ? `${label} ${unit}` : label, x, bottom + 15);
  }
}

function paintMemory(
  context: CanvasRenderingContext2D,
  plan: IPlan,
  box: IFrame,
  colours: IColours,
  words: ITimelineWords
): void {
  const top = box.top + box.height + 23;
  context.textAlign = 'right';
  context.fillText(words.memory, box.left - 6, top + BAR - 1);
  context.fillStyle = colours.memory;
  const width = (plan.memory_time / box.end) * box.width;
  context.fillRect(box.left, top, Math.max(width, 1), BAR);
}

function paintPrediction(
  context: CanvasRenderingContext2D,
  plan: IPlan,
  box: IFrame,
  colours: IColours,
  words: ITimelineWords
): void {
  const bottom = box.top + box.height + 23 + BAR;
  const x = box.left + (plan.busy_time / box.end) * box.width;
  context.fillStyle = colours.text;
  context.fillRect(x - 0.75, box.top, 1.5, bottom + 4 - box.top);
  const half = context.measureText(words.predicted).width / 2;
  const right = box.left + box.width + MARGIN.right;
  context.textAlign = 'center';
  context.fillText(words.predicted, clamp(x, half, right - half), bottom + 16);
}

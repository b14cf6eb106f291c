// A chart's elements: made once for each shape, then moved.

import {
  IAxis,
  IPlaces,
  IShape,
  IWords,
  labelled,
  put,
  svgElement,
  write
} from './chart-data';

export interface IChart {
  axes: { x: IAxis; y: IAxis };
  shapes: IShape[];
  places: IPlaces[];
}

/** A dot as drawn, in pixels. */
export interface IDot {
  name: string;
  index: number;
  x: number;
  y: number;
  reach: number; // of what is drawn around the point
  note: string;
  drag: boolean;
}

const MARGIN = { top: 10, bottom: 48, left: 64, right: 18 };
const [BESIDE, LETTER] = [30, 6.2]; // pixels: the title of y, and a letter of a tick's label
const PATTERN = 'dlp-hatch-live'; // as Python's styles call the hatching
const NEAR = 8; // pixels beside a dot that still point at it

export class Picture {
  constructor(private _svg: SVGSVGElement) {
    this._axes.ariaHidden = 'true';
    put(this._frame, { id: `${this._own}-frame` });
    this._frame.append(this._window);
    const defs = svgElement('defs');
    defs.append(this._frame, hatching(this._own));
    this._svg.append(defs, this._axes, this._marks);
  }

  dots: IDot[] = [];

  /** Where the axis of x starts: what stands beside that of y may be long names. */
  left = MARGIN.left;

  /** Of what lies between the axes' ends. */
  get width(): number {
    return Math.max(this._width - this.left - MARGIN.right, 1);
  }

  find(wanted: { name: string; index: number }): IDot | undefined {
    return this.dots.find(
      ({ name, index }) => name === wanted.name && index === wanted.index
    );
  }

  /** The dot under a point, the front one of several; one that can be moved before one that cannot. */
  under(x: number, y: number): IDot | null {
    let [best, least] = [null as IDot | null, Infinity];
    for (const dot of this.dots) {
      const away = Math.hypot(dot.x - x, dot.y - y) - dot.reach;
      const preferred = away - (dot.drag ? NEAR / 2 : 0);
      if (away <= NEAR && preferred <= least) {
        [best, least] = [dot, preferred];
      }
    }
    return best;
  }

  draw(
    { axes, shapes, places }: IChart,
    { words, width, height }: { words: IWords; width: number; height: number }
  ): void {
    [this._width, this._height] = [width, height];
    const longest = Math.max(...axes.y.ticks.map(([, { length }]) => length));
    this.left = Math.max(MARGIN.left, BESIDE + longest * LETTER);
    put(this._svg, { width, height, viewBox: `0 0 ${width} ${height}` });
    put(this._window, {
      ...{ x: this.left, y: MARGIN.top },
      ...{ width: this.width, height: this._tall }
    });
    this._drawAxes(axes);
    this._keep(shapes);
    this.dots = [];
    shapes.forEach((shape, index) => {
      const group = this._groups.get(shape.name)!;
      this._drawShape(group, shape, places[index], words[index] ?? []);
    });
  }

  private get _tall(): number {
    return Math.max(this._height - MARGIN.top - MARGIN.bottom, 1);
  }

  private _across = (share: number): number =>
    tenth(this.left + share * this.width);

  private _up = (share: number): number =>
    tenth(MARGIN.top + (1 - share) * this._tall);

  private _drawAxes({ x, y }: IChart['axes']): void {
    const { left } = this;
    const { top } = MARGIN;
    const [right, bottom] = [left + this.width, top + this._tall];
    const lines = [
      ...x.ticks.map(([at]) => `M${this._across(at)} ${top}V${bottom}`),
      ...y.ticks.map(([at]) => `M${left} ${this._up(at)}H${right}`)
    ];
    put(this._grid, { class: 'dlp-live-grid', d: lines.join('') });
    const words: [string, Record<string, string | number>][] = [
      ...labelled(x.ticks, this.width).map(
        ([at, label]): [string, Record<string, string | number>] => [
          label,
          { x: this._across(at), y: bottom + 17, 'text-anchor': 'middle' }
        ]
      ),
      ...y.ticks.map(
        ([at, label]): [string, Record<string, string | number>] => [
          label,
          { x: left - 7, y: this._up(at) + 4, 'text-anchor': 'end' }
        ]
      )
    ];
    const ticks = children(this._ticks, words.length, 'text');
    words.forEach(([label, where], index) => {
      write(ticks[index], label);
      put(ticks[index], where);
    });
    write(this._titles[0], x.label);
    write(this._titles[1], y.label);
    put(this._titles[0], { x: (left + right) / 2, y: this._height - 8 });
    const turned = `translate(14 ${(top + bottom) / 2}) rotate(-90)`;
    put(this._titles[1], { transform: turned });
  }

  /** One group for each shape, in their order. */
  private _keep(shapes: IShape[]): void {
    const names = shapes.map(({ name, kind }) => `${kind} ${name}`).join('\n');
    if (names === this._names) {
      return;
    }
    const before = this._groups;
    this._groups = new Map();
    for (const { name, kind } of shapes) {
      const old = before.get(name);
      const group = old?.dataset.kind === kind ? old : svgElement('g');
      [group.dataset.kind, group.dataset.name] = [kind, name];
      this._groups.set(name, group);
    }
    const focused = document.activeElement;
    this._marks.replaceChildren(...this._groups.values());
    if (focused instanceof SVGElement && this._marks.contains(focused)) {
      focused.focus(); // moving an element in the page takes the focus from it
    }
    this._names = names;
  }

  private _drawShape(
    group: SVGGElement,
    shape: IShape,
    places: IPlaces,
    words: string[]
  ): void {
    const style = shape.style.replaceAll(PATTERN, this._own);
    if (group.dataset.style !== style) {
      group.dataset.style = group.style.cssText = style;
    }
    const points = Array.from(places.x, (x, index): [number, number] => [
      this._across(x),
      this._up(places.y[index])
    ]);
    switch (shape.kind) {
      case 'line':
      case 'area': {
        const [line] = children(group, 1, 'path');
        const clip = `url(#${this._own}-frame)`;
        const d = points.length ? `M${points.join('L')}` : '';
        const end = shape.kind === 'area' && d ? 'z' : '';
        put(line, { d: d + end, 'clip-path': clip });
        break;
      }
      case 'text': {
        const [right, down] = shape.shift!;
        const texts = children(group, points.length, 'text');
        put(group, { 'text-anchor': shape.anchor!, 'aria-hidden': 'true' });
        points.forEach(([x, y], index) => {
          write(texts[index], words[index]);
          put(texts[index], { x: x + right, y: y + down });
        });
        break;
      }
      default:
        this._drawDots(group, shape, places, points, words);
    }
  }

  private _drawDots(
    group: SVGGElement,
    shape: IShape,
    places: IPlaces,
    points: [number, number][],
    notes: string[]
  ): void {
    const bubbles = shape.kind === 'bubbles';
    const elements: SVGElement[] = bubbles
      ? children(group, points.length, 'circle')
      : children(group, points.length, 'path');
    const drag = Boolean(shape.drag);
    points.forEach(([x, y], index) => {
      const dot = elements[index];
      if (bubbles) {
        put(dot, { cx: x, cy: y, r: tenth(places.radii[index]) });
      } else {
        const transform = `translate(${x} ${y}) scale(${shape.grow})`;
        put(dot, { d: shape.outline!, transform });
      }
      put(dot, { class: drag ? 'dlp-live-dot dlp-live-drag' : 'dlp-live-dot' });
      const note = notes[index] ?? '';
      if (drag) {
        put(dot, {
          ...{ role: 'slider', tabindex: 0, 'aria-label': shape.drag! },
          ...{ 'aria-valuemin': 0, 'aria-valuemax': 100 },
          'aria-valuenow': Math.round(places.x[index] * 100),
          'aria-valuetext': note
        });
      }
      const reach = bubbles ? places.radii[index] : 5 * shape.grow!;
      this.dots.push({
        ...{ name: shape.name, index, x, y },
        reach,
        note,
        drag
      });
    });
  }

  // Every widget loads this module anew: no count would tell pictures apart.
  private _own = `dlp-live-${Math.random().toString(36).slice(2)}`;
  private _names = '';
  private _groups = new Map<string, SVGGElement>();
  private _axes = svgElement('g', { class: 'dlp-live-axes' });
  private _marks = svgElement('g', { class: 'dlp-live-marks' });
  private _frame = svgElement('clipPath');
  private _window = svgElement('rect');
  private _grid = this._axes.appendChild(svgElement('path'));
  private _ticks = this._axes.appendChild(svgElement('g'));
  private _titles = [0, 1].map(() =>
    this._axes.appendChild(svgElement('text', { class: 'dlp-live-title' }))
  );
  private _width = 0;
  private _height = 0;
}

/** The children of a group, as many as are wanted: old ones stay. */
function children<Name extends keyof SVGElementTagNameMap>(
  group: SVGGElement,
  count: number,
  name: Name
): SVGElementTagNameMap[Name][] {
  while (group.childElementCount > count) {
    group.lastElementChild!.remove();
  }
  while (group.childElementCount < count) {
    group.append(svgElement(name));
  }
  return [...group.children] as SVGElementTagNameMap[Name][];
}

/** The pattern of what is wasted. Every picture has its own: one in a hidden tab paints nothing. */
function hatching(id: string): SVGPatternElement {
  const pattern = svgElement('pattern', {
    ...{ id, width: 7, height: 7, patternUnits: 'userSpaceOnUse' },
    patternTransform: 'rotate(45)'
  });
  for (const [width, opacity] of [
    [7, 0.22],
    [2, 1]
  ]) {
    const stripe = svgElement('rect', { width, height: 7, opacity });
    stripe.style.fill = 'var(--dlp-math)';
    pattern.append(stripe);
  }
  return pattern;
}

function tenth(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}

// The view of an SvgFigure: axes and marks at the size of its place, and what a hand may do with the dots.
// `moved` and `asked` go to Python; everything else comes from it.

import { Hand, IHeld } from './chart-hand';
import { IAxis, IShape, IWords, svgElement, unpack } from './chart-data';
import { Picture } from './chart-picture';
import { beforeNextFrame } from './stage';
import { listening } from '../../dlperf_widgets/widgets/listening.js';
import type { IModel } from './model';

interface IState {
  axes: { x: IAxis; y: IAxis };
  shapes: IShape[];
  numbers: DataView;
  words: IWords;
  alt: string;
  moved: { name?: string; index?: number; at?: number; turn?: number };
  asked: { name?: string; index?: number; turn?: number };
  answered: number;
}

const DRAWN = 'change:axes change:shapes change:numbers change:words';
const PATIENCE = 5000; // ms: without an answer a dot goes back to where Python knows it

class ChartView {
  constructor(
    private _model: IModel<IState>,
    element: HTMLElement
  ) {
    this._svg.role = 'group';
    this._tip.className = 'dlp-live-tip';
    this._tip.role = 'tooltip';
    this._tip.hidden = true;
    element.append(this._svg, this._tip);
    this._picture = new Picture(this._svg);
    this._hand = new Hand(this._svg, this._picture, {
      move: held => this._move(held),
      ask: (name, index) => this._ask(name, index),
      rested: () => this._answer(),
      changed: this._drawing.ask
    });
    const heard: [string, () => void][] = [
      [DRAWN, this._drawing.ask],
      ['change:alt', () => this._name()],
      ['change:answered', () => this._answer()]
    ];
    heard.forEach(([event, act]) => _model.on(event, act));
    this._sizes.observe(element);
    this.dispose = () => {
      heard.forEach(([event, act]) => _model.off(event, act));
      this._sizes.disconnect();
      this._drawing.cancel();
      clearTimeout(this._patience);
    };
    this._name();
  }

  readonly dispose: () => void;

  private _name(): void {
    this._svg.ariaLabel = this._model.get('alt');
  }

  /** The manager sends the latest of the moves made while Python was busy, and none in between. */
  private _move({ name, index, at }: IHeld): void {
    const turn = (this._model.get('moved').turn ?? 0) + 1;
    this._model.set('moved', { name, index, at, turn });
    this._model.save_changes();
    clearTimeout(this._patience);
    this._patience = window.setTimeout(() => this._hand.release(), PATIENCE);
  }

  private _ask(name: string, index: number): void {
    const turn = (this._model.get('asked').turn ?? 0) + 1;
    this._model.set('asked', { name, index, turn });
    this._model.save_changes();
  }

  /** Where a dot was let go it stays until Python has answered the last move. */
  private _answer(): void {
    if (this._model.get('answered') === (this._model.get('moved').turn ?? 0)) {
      clearTimeout(this._patience);
      this._hand.release();
    }
  }

  private _draw(): void {
    const { clientWidth: width, clientHeight: height } =
      this._svg.parentElement!;
    if (!width || !height) {
      return; // in a hidden tab: its size will change when it is shown
    }
    const shapes = this._model.get('shapes');
    const places = unpack(shapes, this._model.get('numbers'));
    const { held } = this._hand;
    const own = held && shapes.findIndex(shape => shape.name === held.name);
    if (held && own !== null && own >= 0 && held.index < places[own].x.length) {
      places[own].x[held.index] = held.at;
    }
    this._picture.draw(
      { axes: this._model.get('axes'), shapes, places },
      { words: this._model.get('words'), width, height }
    );
    this._point(width);
  }

  /** Say what is known of the dot pointed at, above it where there is room. */
  private _point(width: number): void {
    const dot = this._hand.pointed && this._picture.find(this._hand.pointed);
    this._tip.hidden = !dot?.note;
    if (dot?.note) {
      this._tip.textContent = dot.note;
      const half = this._tip.offsetWidth / 2;
      const left = Math.max(half, Math.min(dot.x, width - half));
      const above = dot.y - this._tip.offsetHeight - 14;
      this._tip.style.left = `${left - half}px`;
      this._tip.style.top = `${above < 0 ? dot.y + 16 : above}px`;
    }
  }

  private _svg = svgElement('svg');
  private _tip = document.createElement('div');
  private _picture: Picture;
  private _hand: Hand;
  private _patience = 0;
  private _drawing = beforeNextFrame(() => this._draw());
  private _sizes = new ResizeObserver(this._drawing.ask);
}

function render({
  model,
  el
}: {
  model: IModel<IState>;
  el: HTMLElement;
}): () => void {
  const view = new ChartView(model, el);
  return () => view.dispose();
}

export default { initialize: listening, render };

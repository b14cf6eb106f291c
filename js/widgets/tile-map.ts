// The view of a TileMap: two pictures of one product, and a line about the tile pointed at.
// The model's `plan` and `words` come from Python; `pointed` and `chosen` go back.

import { coloursAt } from './colours';
import { boxOf, layout, placeAt } from './layout';
import { paintMatrix } from './matrix';
import { IPlan, ISlot, moved, placeOf, slotsOf, tileAt, tileIn } from './plan';
import { IWords, describeIdle, describeTile } from './readout';
import { Stage, beforeNextFrame } from './stage';
import { boxOfSlot, frame, paintTimeline, slotAt } from './timeline';
import { watch } from './watch';
import { listening } from '../../dlperf_widgets/widgets/listening.js';
import type { IModel } from './model';

interface IState {
  plan: IPlan;
  words: IWords;
  alt: string;
  pointed: number;
  chosen: number;
}

const LEAST_MARK = 8; // pixels: smaller tiles are pointed at by a larger frame

class TileMapView {
  constructor(
    private _model: IModel<IState>,
    element: HTMLElement
  ) {
    element.classList.add('dlp-tiles');
    element.append(this._pictures, this._readout);
    this._pictures.className = 'dlp-tiles-pictures';
    this._pictures.tabIndex = 0;
    this._pictures.role = 'img';
    this._pictures.append(
      figure(this._matrix, this._captions[0]),
      figure(this._timeline, this._captions[1])
    );
    this._readout.className = 'dlp-tiles-readout';
    this._readout.role = 'status';
    this._listen();
    this._forget.push(watch(this._pictures, this._drawing.ask));
    this._changed();
  }

  dispose(): void {
    this._forget.forEach(each => each());
    this._drawing.cancel();
    this._marking.cancel();
  }

  private _listen(): void {
    const { _model: model, _pictures: pictures } = this;
    const heard: [string, () => void][] = [
      ['change:plan change:words change:alt', () => this._changed()],
      ['change:chosen change:pointed', this._marking.ask]
    ];
    heard.forEach(([event, act]) => model.on(event, act));
    this._forget.push(() =>
      heard.forEach(([event, act]) => model.off(event, act))
    );
    this._matrix.element.addEventListener('pointermove', event =>
      this._point(this._tileUnder(event))
    );
    this._timeline.element.addEventListener('pointermove', event => {
      const slot = this._slotUnder(event);
      this._point(slot ? tileIn(this._plan, slot) : -1, slot);
    });
    for (const { element } of [this._matrix, this._timeline]) {
      element.addEventListener('pointerleave', () => this._point(-1));
      element.addEventListener('click', () => this._choose());
    }
    pictures.addEventListener('keydown', event => this._key(event));
  }

  private get _plan(): IPlan {
    return this._model.get('plan');
  }

  private get _words(): IWords {
    return this._model.get('words');
  }

  private get _pointed(): number {
    const tile = this._model.get('pointed');
    return tile < this._plan.tiles ? tile : -1;
  }

  /** Another product: what was pointed at is somewhere else now. */
  private _changed(): void {
    this._pictures.ariaLabel = this._model.get('alt');
    this._captions[0].textContent = this._words.matrix;
    this._captions[1].textContent = this._words.waves;
    this._idle = null;
    this._drawing.ask();
  }

  private _tileUnder(event: PointerEvent): number {
    const { width, height } = this._matrix;
    const { offsetX: x, offsetY: y } = event;
    const place = placeAt(this._plan, layout(this._plan, width, height), x, y);
    return place ? tileAt(this._plan, place) : -1;
  }

  private _slotUnder(event: PointerEvent): ISlot | null {
    const { width, height } = this._timeline;
    const box = frame(this._plan, width, height);
    return slotAt(this._plan, box, event.offsetX, event.offsetY);
  }

  private _point(tile: number, slot: ISlot | null = null): void {
    this._idle = tile < 0 ? slot : null;
    if (tile !== this._model.get('pointed')) {
      this._model.set('pointed', tile);
      this._model.save_changes();
    }
    this._marking.ask();
  }

  private _choose(): void {
    this._model.set('chosen', this._pointed);
    this._model.save_changes();
  }

  /** A notebook takes keys for itself unless they stop here. */
  private _key(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) {
      return;
    }
    if (event.key === 'Escape') {
      this._point(-1);
      this._pictures.blur();
    } else if (event.key === 'Enter' || event.key === ' ') {
      this._choose();
    } else {
      const tile = moved(this._plan, Math.max(this._pointed, 0), event.key);
      if (tile === null) {
        return;
      }
      this._point(this._pointed < 0 ? 0 : tile);
    }
    event.preventDefault();
    event.stopPropagation();
  }

  private _draw(): void {
    if (!this._matrix.visible) {
      return; // in a hidden tab: its size will change when it is shown
    }
    const { _plan: plan } = this;
    const colours = coloursAt(this._pictures);
    this._frames = colours.current;
    const { scale } = this._matrix;
    this._matrix.paint((context, width, height) =>
      paintMatrix(
        context,
        plan,
        layout(plan, width * scale, height * scale),
        colours,
        scale
      )
    );
    this._timeline.paint((context, width, height) =>
      paintTimeline(
        context,
        plan,
        frame(plan, width, height),
        colours,
        this._words
      )
    );
    this._mark();
  }

  /** Frames around what is pointed at and chosen, and the sentence. The pictures stay as they are. */
  private _mark(): void {
    const marks = [
      { tile: this._pointed, width: 2 },
      { tile: this._model.get('chosen'), width: 3.5 }
    ].filter(({ tile }) => tile >= 0 && tile < this._plan.tiles);
    this._matrix.paintOver((context, width, height) => {
      const laid = layout(this._plan, width, height);
      for (const mark of marks) {
        const box = boxOf(laid, placeOf(this._plan, mark.tile));
        outline(context, box, this._frames, mark.width);
      }
    });
    this._timeline.paintOver((context, width, height) => {
      const box = frame(this._plan, width, height);
      for (const mark of marks) {
        for (const slot of slotsOf(this._plan, mark.tile)) {
          outline(
            context,
            boxOfSlot(this._plan, box, slot),
            this._frames,
            mark.width
          );
        }
      }
    });
    this._say();
  }

  private _say(): void {
    const { _plan: plan, _words: words } = this;
    const tile = this._pointed >= 0 ? this._pointed : this._model.get('chosen');
    const text = this._idle
      ? describeIdle(plan, words, this._idle)
      : tile >= 0 && tile < plan.tiles
        ? describeTile(plan, words, tile)
        : words.hint;
    if (this._readout.textContent !== text) {
      this._readout.textContent = text;
    }
  }

  private _matrix = new Stage();
  private _timeline = new Stage();
  private _pictures = document.createElement('div');
  private _captions = [caption(), caption()];
  private _readout = document.createElement('div');
  private _frames = ''; // their colour
  private _idle: ISlot | null = null; // the turn pointed at, where no tile runs
  private _drawing = beforeNextFrame(() => this._draw());
  private _marking = beforeNextFrame(() => this._mark());
  private _forget: (() => void)[] = [];
}

function caption(): HTMLElement {
  return document.createElement('figcaption');
}

function figure(stage: Stage, words: HTMLElement): HTMLElement {
  const element = document.createElement('figure');
  element.append(stage.element, words);
  return element;
}

function outline(
  context: CanvasRenderingContext2D,
  [left, top, width, height]: [number, number, number, number],
  colour: string,
  thick: number
): void {
  const [across, down] = [width, height].map(each =>
    Math.max(each, LEAST_MARK)
  );
  context.strokeStyle = colour;
  context.lineWidth = thick;
  context.strokeRect(
    left + (width - across + thick) / 2,
    top + (height - down + thick) / 2,
    across - thick,
    down - thick
  );
}

function render({
  model,
  el
}: {
  model: IModel<IState>;
  el: HTMLElement;
}): () => void {
  const view = new TileMapView(model, el);
  return () => view.dispose();
}

export default { initialize: listening, render };

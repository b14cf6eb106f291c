// What a hand does with the dots of a chart: point, click, drag, and move the focused one by keys.

import type { IDot, Picture } from './chart-picture';

/** The dot that is moved, and where it is held: a share of the width. */
export interface IHeld {
  name: string;
  index: number;
  at: number;
}

interface IHeard {
  move(held: IHeld): void;
  ask(name: string, index: number): void;
  rested(): void; // the hand has let go
  changed(): void; // there is something to draw
}

const STEP = 0.01; // of the width, by an arrow key
const FAR = 10; // such steps, by Page Up and Page Down
const MOST = 64; // the most that a step grows to where the dot does not yield
const KEYS: Record<string, number> = {
  ...{ ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 },
  ...{ PageUp: FAR, PageDown: -FAR, Home: -Infinity, End: Infinity }
};

export class Hand {
  constructor(
    private _svg: SVGSVGElement,
    private _picture: Picture,
    private _heard: IHeard
  ) {
    const listen = <Name extends keyof SVGElementEventMap>(
      name: Name,
      act: (event: SVGElementEventMap[Name]) => void
    ): void => _svg.addEventListener(name, act);
    listen('pointermove', event => this._pointerMoved(event));
    listen('pointerdown', event => this._pressed(event));
    listen('pointerup', () => this._letGo());
    listen('pointercancel', () => this._letGo());
    listen('pointerleave', () => this._point(null));
    listen('focusin', event => this._point(this._dotOf(event.target)));
    listen('focusout', () => this._point(null));
    listen('keydown', event => this._key(event));
  }

  held: IHeld | null = null;
  pointed: { name: string; index: number } | null = null;

  /** Python has answered: the dot stands where it says, unless the hand still holds it. */
  release(): void {
    if (!this._grabbed) {
      this.held = null;
    }
    this._heard.changed();
  }

  private _pointerMoved(event: PointerEvent): void {
    const [x, y] = this._place(event);
    if (!this._grabbed) {
      const dot = this._picture.under(x, y);
      this._svg.style.cursor = dot ? (dot.drag ? 'ew-resize' : 'pointer') : '';
      this._point(dot);
    } else if (this.held || Math.abs(x - this._from) > 2) {
      this._hold(this._grabbed, this._share(x - this._offset));
    }
  }

  private _pressed(event: PointerEvent): void {
    const [x, y] = this._place(event);
    const dot = event.button ? null : this._picture.under(x, y);
    if (!dot) {
      return;
    }
    this._heard.ask(dot.name, dot.index);
    if (dot.drag) {
      [this._grabbed, this._from, this._offset] = [dot, x, x - dot.x];
      this._svg.setPointerCapture(event.pointerId);
      this._elementOf(dot)?.focus({ preventScroll: true });
      event.preventDefault(); // no selection of text, no scrolling
    }
  }

  private _letGo(): void {
    this._grabbed = null;
    this._heard.rested();
  }

  private _key(event: KeyboardEvent): void {
    const dot = this._dotOf(event.target);
    const steps = KEYS[event.key];
    if (!dot?.drag || event.altKey || event.ctrlKey || event.metaKey) {
      return;
    }
    if (event.key === 'Enter' || event.key === ' ') {
      this._heard.ask(dot.name, dot.index);
    } else if (steps) {
      const from = this.held?.at ?? this._share(dot.x);
      this._hold(dot, from + steps * STEP * this._reach(from, steps));
    } else {
      return;
    }
    // A notebook takes keys for itself unless they stop here.
    event.preventDefault();
    event.stopPropagation();
  }

  /** Steps grow while the dot goes back to where it was: its next place is further away. */
  private _reach(from: number, steps: number): number {
    const stuck =
      Math.abs(from - this._stood) < 1e-4 && Math.sign(steps) === this._way;
    this._grown = stuck ? Math.min(this._grown * 2, MOST) : 1;
    [this._stood, this._way] = [from, Math.sign(steps)];
    return this._grown;
  }

  private _hold({ name, index }: IDot, at: number): void {
    const inside = Math.min(Math.max(at, 0), 1);
    if (this.held?.at !== inside) {
      this.held = { name, index, at: inside };
      this._heard.move(this.held);
      this._heard.changed();
    }
  }

  private _point(dot: IDot | null): void {
    const { pointed } = this;
    if (pointed?.name === dot?.name && pointed?.index === dot?.index) {
      return;
    }
    this.pointed = dot && { name: dot.name, index: dot.index };
    if (dot) {
      this._heard.ask(dot.name, dot.index);
    }
    this._heard.changed();
  }

  private _place(event: PointerEvent): [number, number] {
    const box = this._svg.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  private _share(x: number): number {
    return (x - this._picture.left) / this._picture.width;
  }

  private _dotOf(target: EventTarget | null): IDot | null {
    if (!(target instanceof SVGElement) || !target.matches('[role=slider]')) {
      return null;
    }
    const group = target.parentElement as unknown as SVGGElement;
    const index = [...group.children].indexOf(target);
    return this._picture.find({ name: group.dataset.name!, index }) ?? null;
  }

  private _elementOf({ name, index }: IDot): SVGElement | undefined {
    const groups = [...this._svg.querySelectorAll<SVGGElement>('g')];
    const group = groups.find(({ dataset }) => dataset.name === name);
    return group?.children[index] as SVGElement | undefined;
  }

  private _grabbed: IDot | null = null;
  private _from = 0; // where the hand came down
  private _offset = 0; // of the hand beside the dot's middle
  private _stood = NaN; // where keys last moved a dot from
  private _way = 0;
  private _grown = 1;
}

// A canvas for a picture and a second one above it for what follows the pointer, at the screen's resolution.

export type Painter = (
  context: CanvasRenderingContext2D,
  width: number, // CSS pixels
  height: number
) => void;

export class Stage {
  readonly element = document.createElement('div');

  constructor() {
    this.element.className = 'dlp-tiles-stage';
    this.element.append(this._base, this._over);
  }

  get width(): number {
    return this.element.clientWidth;
  }

  get height(): number {
    return this.element.clientHeight;
  }

  /** Device pixels a CSS pixel. */
  get scale(): number {
    return window.devicePixelRatio || 1;
  }

  get visible(): boolean {
    return this.width > 0 && this.height > 0;
  }

  paint(painter: Painter): void {
    this._paint(this._base, painter);
  }

  paintOver(painter: Painter): void {
    this._paint(this._over, painter);
  }

  private _paint(canvas: HTMLCanvasElement, painter: Painter): void {
    const { width, height, scale } = this;
    const [across, down] = [width, height].map(each =>
      Math.round(each * scale)
    );
    if (canvas.width !== across || canvas.height !== down) {
      [canvas.width, canvas.height] = [across, down];
    }
    const context = canvas.getContext('2d')!;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    const { fontFamily } = getComputedStyle(this.element);
    context.font = `11px ${fontFamily}`;
    painter(context, width, height);
  }

  private _base = document.createElement('canvas');
  private _over = document.createElement('canvas');
}

/** A function that asks for a drawing before the next frame, once however often it is called. */
export function beforeNextFrame(draw: () => void): {
  ask: () => void;
  cancel: () => void;
} {
  let asked = 0;
  return {
    ask: () => {
      asked ||= requestAnimationFrame(() => {
        asked = 0;
        draw();
      });
    },
    cancel: () => cancelAnimationFrame(asked)
  };
}

/** Tells once when nothing has happened for a time; 0 watches nothing. */
export class IdleWatch {
  readonly #limitMs: number;
  readonly #onIdle: () => void;
  #last = performance.now();
  #timer: NodeJS.Timeout | null = null;

  constructor(limitMs: number, onIdle: () => void) {
    this.#limitMs = limitMs;
    this.#onIdle = onIdle;
  }

  start(): void {
    if (this.#limitMs === 0) return;
    this.touch();
    this.#arm(this.#limitMs);
  }

  /** Something happened. */
  touch(): void {
    this.#last = performance.now();
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #arm(ms: number): void {
    this.#timer = setTimeout(() => {
      const left = this.#limitMs - (performance.now() - this.#last);
      if (left > 0) this.#arm(Math.ceil(left));
      else this.#onIdle();
    }, ms);
  }
}

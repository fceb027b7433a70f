/** Thrown into a producer whose consumer wants nothing more. */
export class NobodyWants extends Error {}

const unread = 64;

/** Hands items from one that makes them to one that takes them, and makes the first wait for the second. */
export class Handover<T> {
  #items: T[] = [];
  #at = 0;
  #ended = false;
  #stopped = false;
  #wake: (() => void) | undefined;

  /** Undefined when there is room for more. Throws once nothing is wanted any more. */
  put(item: T): Promise<void> | undefined {
    if (this.#stopped) throw new NobodyWants();
    this.#items.push(item);
    this.#wakeOther();
    return this.#items.length - this.#at < unread ? undefined : this.#wait();
  }

  /** No more will be put. */
  end(): void {
    this.#ended = true;
    this.#wakeOther();
  }

  /** No more will be taken. */
  stop(): void {
    this.#stopped = true;
    this.#wakeOther();
  }

  /** Items until the end. */
  async *items(): AsyncGenerator<T, void, undefined> {
    for (;;) {
      const items = this.#items;
      for (; this.#at < items.length; this.#at += 1) {
        const item = items[this.#at];
        if (item !== undefined) yield item;
      }
      this.#items = [];
      this.#at = 0;
      this.#wakeOther();
      if (this.#ended && this.#items.length === 0) return;
      if (this.#items.length === 0) await this.#wait();
    }
  }

  /** One waits at a time: who makes waits for room, who takes for items. */
  #wait(): Promise<void> {
    return new Promise((resume) => (this.#wake = resume));
  }

  #wakeOther(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }
}

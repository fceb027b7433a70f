import type { JobControl } from "./reading-job.js";

const bytes = 16;

/** What the threads of a pool share: whether their work is still wanted, and how many bytes have passed. */
export class SharedControl implements JobControl {
  readonly memory: SharedArrayBuffer;
  readonly #flag: Int32Array;
  readonly #passed: BigInt64Array;

  constructor(memory = new SharedArrayBuffer(bytes)) {
    this.memory = memory;
    this.#flag = new Int32Array(memory, 0, 1);
    this.#passed = new BigInt64Array(memory, 8, 1);
  }

  cancel(): void {
    Atomics.store(this.#flag, 0, 1);
  }

  isCancelled(): boolean {
    return Atomics.load(this.#flag, 0) !== 0;
  }

  passed(count: number): void {
    Atomics.add(this.#passed, 0, BigInt(count));
  }

  get passedBytes(): number {
    return Number(Atomics.load(this.#passed, 0));
  }
}

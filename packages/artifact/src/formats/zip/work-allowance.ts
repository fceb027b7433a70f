/**
 * Work that a reader may do beside walking the file once, in bytes read or decoded. Keeps hostile files, in which many
 * records point at the same data, from costing more than a small multiple of their size.
 */
export class WorkAllowance {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** Takes what a step costs at most; false when it is not there any more. */
  spend(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  /** Takes what was used after the fact. */
  charge(bytes: number): void {
    this.#left -= bytes;
  }

  get isUsedUp(): boolean {
    return this.#left <= 0;
  }
}

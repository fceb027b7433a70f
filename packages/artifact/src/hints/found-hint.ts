/** Something packed into a leaf: where to look, and why. It is not opened. */
export interface FoundHint {
  /** A format of this library, a runtime such as `pyinstaller`, or `unknown`. */
  readonly format: string;
  /** Bytes from the leaf's start. */
  readonly offset: number;
  readonly length: number;
  /** Fixed words. */
  readonly basis: string;
}

/** Hints at one leaf. */
export interface LeafHints {
  readonly logical_path: string;
  readonly duplicate_index: number;
  readonly hints: readonly FoundHint[];
}

/** What was read of one file. */
export interface ReadFile {
  readonly content: Uint8Array;
  readonly sha256: string;
  /** Digits of the id of the content. */
  readonly artifactDigits: string;
  readonly executable: boolean;
  /** False when it changed while it was read. */
  readonly unchanged: boolean;
}

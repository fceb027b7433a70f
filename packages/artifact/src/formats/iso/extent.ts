/** A range of the image, in bytes from its start. */
export interface Extent {
  readonly start: number;
  readonly length: number;
}

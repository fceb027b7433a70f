import type { FileRange } from "../image.js";

/** Something packed into an executable, or a runtime it is made of. */
export interface ContainerHint {
  /** A format of the artifact tools, or a runtime such as `pyinstaller`. */
  readonly kind: string;
  /** Fixed words. */
  readonly basis: string;
  readonly file: FileRange | undefined;
}

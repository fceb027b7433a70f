import type { PixelComparison } from "./compare-pixels.js";
import type { PixelImage } from "./pixel-image.js";
import type { PngFile } from "./png-file.js";

/** The first message to a thread that decodes one image. */
export interface ThreadTask {
  readonly side: "left" | "right";
  readonly file: Pick<PngFile, "header" | "palette" | "transparency" | "compressed">;
  readonly threshold: number;
  /** Whether a difference image is wanted. */
  readonly difference: boolean;
}

/** What it answers; the pixels of the right image are then handed to the thread of the left one. */
export type ThreadReply =
  | { readonly kind: "pixels"; readonly image: PixelImage }
  | { readonly kind: "comparison"; readonly comparison: PixelComparison; readonly picture: Uint8Array | null }
  /** What is wrong with the image. */
  | { readonly kind: "problem"; readonly problem: string };

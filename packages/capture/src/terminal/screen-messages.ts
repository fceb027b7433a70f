import type { NormalizedOutput, OutputToNormalize } from "../normalize/normalized-view.js";
import type { Screenshot } from "./screen.js";

/** What the thread of a screen is told first. */
export interface ScreenBeginning {
  readonly kind: "begin";
  readonly columns: number;
  readonly rows: number;
  readonly scrollback: number;
  readonly hidden: readonly { readonly alias: string; readonly bytes: Uint8Array }[];
}

/** What it is told then, in order. */
export type ScreenTask =
  | { readonly kind: "write"; readonly bytes: Uint8Array }
  | { readonly kind: "resize"; readonly columns: number; readonly rows: number }
  | { readonly kind: "look"; readonly id: number }
  | { readonly kind: "normalize"; readonly id: number; readonly output: OutputToNormalize };

/** What it tells: what the terminal answers the program, how much it has drawn, and what it shows. */
export type ScreenNews =
  | { readonly kind: "ready" }
  | { readonly kind: "answer"; readonly data: string }
  | { readonly kind: "drawn"; readonly bytes: number }
  | { readonly kind: "shot"; readonly id: number; readonly shot: Screenshot }
  | { readonly kind: "normalized"; readonly id: number; readonly output: NormalizedOutput };

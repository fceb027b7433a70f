import type { ReaderInput } from "../../format.js";
import type { FindingReport } from "../../reading/finding-report.js";
import type { PieceWindow } from "../../reading/piece-window.js";
import type { SpaceMap } from "./space-map.js";

/** What the trees of a volume share while they are walked. */
export interface TreeContext {
  readonly window: PieceWindow;
  readonly input: ReaderInput;
  readonly findings: FindingReport;
  readonly space: SpaceMap;
  /** Bytes of directories that are still read, in all trees together. */
  readonly allowance: { bytes: number };
}

import type { ByteSource } from "@rea/core";
import type { ReaderInput } from "../../format.js";
import { FindingReport } from "../../reading/finding-report.js";
import { PieceWindow } from "../../reading/piece-window.js";
import { WorkAllowance } from "./work-allowance.js";

/** What the steps of reading one archive share. */
export interface ZipWalk {
  readonly source: ByteSource;
  readonly input: ReaderInput;
  readonly findings: FindingReport;
  readonly allowance: WorkAllowance;
  /** For records of the directory and records at the end. */
  readonly directory: PieceWindow;
  /** For local headers. */
  readonly front: PieceWindow;
  /** For bytes that are searched through. */
  readonly search: PieceWindow;
  /** The host of the directory's first record, for names of members that only have a local header. */
  host: number | undefined;
}

const freeWork = 64 * 1024 * 1024;

export function startWalk(source: ByteSource, input: ReaderInput): ZipWalk {
  return {
    source,
    input,
    findings: new FindingReport(input.report),
    allowance: new WorkAllowance(freeWork + 2 * source.size),
    directory: new PieceWindow(source),
    front: new PieceWindow(source),
    search: new PieceWindow(source),
    host: undefined,
  };
}

import { omission, type ByteSource } from "@rea/core";
import type { Entry, ReaderInput } from "../../format.js";
import { FindingReport } from "../../reading/finding-report.js";
import { bufferOf, PieceWindow } from "../../reading/piece-window.js";
import { CabWalk } from "./cab-walk.js";
import { readHeader, type CabHeader } from "./cab-header.js";

const signature = Buffer.from("4d53434600000000", "hex");
/** Something before the cabinet is looked through this far. */
const longestPrefix = 1024 * 1024;

/** Files of a cabinet in the order of its list. */
export async function* readCab(source: ByteSource, input: ReaderInput): AsyncGenerator<Entry, void, undefined> {
  const window = new PieceWindow(source);
  const header = findHeader(source, window);
  if (header === undefined) {
    input.report.omission(omission("The cabinet's header is cut short or missing.", "malformed"));
    return;
  }
  const findings = new FindingReport(input.report);
  try {
    yield* new CabWalk({ source, window, header, input, findings }).entries();
  } finally {
    findings.finish();
  }
}

function findHeader(source: ByteSource, window: PieceWindow): CabHeader | undefined {
  const front = bufferOf(source.read(0, Math.min(longestPrefix, source.size)));
  if (front.subarray(0, 4).equals(signature.subarray(0, 4))) return readHeader(window, 0);
  for (let at = front.indexOf(signature); at >= 0; at = front.indexOf(signature, at + 1)) {
    const header = readHeader(window, at);
    if (header?.major === 1) return header;
  }
  return undefined;
}

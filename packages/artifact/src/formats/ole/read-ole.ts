import { omission, type ByteSource } from "@rea/core";
import type { Entry, ReaderInput } from "../../format.js";
import { FindingReport } from "../../reading/finding-report.js";
import { readOleHeader } from "./ole-header.js";
import { OleWalk } from "./ole-walk.js";

/** Storages and streams of a compound file. */
export async function* readOle(source: ByteSource, input: ReaderInput): AsyncGenerator<Entry, void, undefined> {
  const header = readOleHeader(source);
  if (header === undefined) {
    input.report.omission(omission("The compound file's header is cut short or malformed.", "malformed"));
    return;
  }
  const findings = new FindingReport(input.report);
  try {
    for (const detail of header.problems) {
      findings.add({ anomaly: "ambiguous_header", offset: 0, detail, effect: "Readers that check refuse the file, others read what the header says." });
    }
    yield* new OleWalk({ source, header, input, findings }).entries();
  } finally {
    findings.finish();
  }
}

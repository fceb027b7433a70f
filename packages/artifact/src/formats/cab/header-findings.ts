import { omission, type ByteSource } from "@rea/core";
import type { ReaderInput } from "../../format.js";
import type { FindingReport } from "../../reading/finding-report.js";
import { bufferOf } from "../../reading/piece-window.js";
import type { CabHeader } from "./cab-header.js";

/** What the header alone tells. */
export function headerFindings(header: CabHeader, { source, input, findings }: { readonly source: ByteSource; readonly input: ReaderInput; readonly findings: FindingReport }): void {
  const { offset } = header;
  if (offset > 0) {
    const detail = `The cabinet starts behind ${String(offset)} bytes of something else.`;
    findings.add({ anomaly: "prefix_data", offset: 0, detail, effect: "Some readers look for the cabinet behind a program, others refuse the file." });
    input.report.part({ part: "data before the cabinet", offset: 0, length: offset });
  }
  if (header.major !== 1 || header.minor !== 3) {
    input.report.omission(omission(`The cabinet is of version ${String(header.major)}.${String(header.minor)}; version 1.3 is what is read.`, "unsupported_format"));
  }
  if (offset + header.cabinetBytes > source.size) {
    const scope = `The cabinet declares ${String(header.cabinetBytes)} bytes and ends after ${String(source.size - offset)}.`;
    input.report.omission(omission(scope, "malformed"));
  }
  if (header.reserve !== undefined) input.report.part({ part: "reserved area of the cabinet", ...header.reserve });
  const signature = signatureRange(source, header);
  if (signature !== undefined) input.report.part({ part: "Authenticode signature", ...signature });
}

/** The signature of a signed cabinet stands behind it; the header's reserved area leads there. */
export function signatureRange(source: ByteSource, header: CabHeader): { readonly offset: number; readonly length: number } | undefined {
  const { reserve } = header;
  if (reserve?.length !== 20 || reserve.offset + 20 > source.size) return undefined;
  const bytes = bufferOf(source.read(reserve.offset, 20));
  const range = { offset: header.offset + bytes.readUInt32LE(4), length: bytes.readUInt32LE(8) };
  const isBehind = range.offset >= header.offset + header.cabinetBytes && range.length > 0;
  return isBehind && range.offset + range.length <= source.size ? range : undefined;
}

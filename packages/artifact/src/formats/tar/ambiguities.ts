import type { Finding } from "../../reading/finding-report.js";
import type { MemberExtensions } from "./member-facts.js";
import type { TarHeader } from "./tar-header.js";

/** What a member's headers say twice in different ways. */
export function ambiguities(header: TarHeader, { values, longName, longLink }: MemberExtensions, offset: number): readonly Finding[] {
  const findings: Finding[] = [];
  const found = (anomaly: "ambiguous_header" | "header_size_mismatch", detail: string, effect: string): void => void findings.push({ anomaly, offset, detail, effect });
  if (values.repeatedKeys > 0) {
    found("ambiguous_header", "A pax header gives the same key more than once; the last one counts.", "Readers that take the first one see another value.");
  }
  if (differ(values.bytes("path"), longName) || differ(values.bytes("linkpath"), longLink)) {
    found("ambiguous_header", "A pax header and a GNU long name give the member different names; the pax one counts.", "Readers that prefer the other see another name.");
  }
  if (header.strayPrefix) {
    found("ambiguous_header", "A header without the ustar mark has bytes where ustar keeps the prefix; they were not joined.", "Readers that join them see a longer name.");
  }
  const size = values.number("size");
  if (size !== undefined && header.size !== undefined && header.size !== 0 && header.size !== size) {
    found(
      "header_size_mismatch",
      `A pax header declares ${String(size)} bytes, the member's own header ${String(header.size)}; the pax one counts.`,
      "Readers without pax go on at another place.",
    );
  }
  return findings;
}

function differ(left: Uint8Array | undefined, right: Uint8Array | undefined): boolean {
  return left !== undefined && right !== undefined && Buffer.compare(left, right) !== 0;
}

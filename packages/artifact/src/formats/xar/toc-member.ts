import { createHash } from "node:crypto";
import type { ByteSource } from "@rea/core";
import { zlib } from "../../codecs/zlib.js";
import type { DeclaredCheck, Entry, ReaderInput } from "../../format.js";
import type { FindingReport } from "../../reading/finding-report.js";
import { sourceStream } from "../../reading/source-stream.js";
import { heapRange, placeOf } from "./xar-heap.js";
import { digestAlgorithm, type XarHeader } from "./xar-header.js";
import type { XarToc } from "./xar-toc.js";

const tocName = "[TOC].xml";

/**
 * The table of contents as a member of its own, under the name other programs give it, so that its checksum is held to
 * the same rules as those of the files.
 */
export function tocMember(source: ByteSource, header: XarHeader, checks: readonly DeclaredCheck[], input: ReaderInput): Entry {
  const { headerBytes, tocBytes, tocPlainBytes } = header;
  return {
    name: { bytes: Buffer.from(tocName), text: tocName },
    kind: "file",
    declaredBytes: Number.isSafeInteger(tocPlainBytes) ? tocPlainBytes : null,
    compressedBytes: tocBytes,
    location: { offset: headerBytes, length: tocBytes },
    encrypted: false,
    linkTarget: null,
    executable: null,
    checks: Number.isSafeInteger(tocPlainBytes) ? [{ kind: "size", bytes: tocPlainBytes }, ...checks] : checks,
    limitations: ["This is the archive's table of contents, not a file of it."],
    content: { stream: () => zlib.decompress(sourceStream(source, headerBytes, tocBytes), { signal: input.signal }) },
  };
}

/** The checksum over the compressed table, which stands in the heap. */
export function tocChecks(source: ByteSource, header: XarHeader, toc: XarToc, findings: FindingReport): readonly DeclaredCheck[] {
  const { checksum } = toc;
  if (checksum === undefined) {
    if (header.algorithm !== undefined) missing(findings, "The header names an algorithm, and the table of contents has no checksum.");
    return [];
  }
  const algorithm = digestAlgorithm(checksum.style);
  const range = heapRange(source, header, placeOf(checksum));
  if (algorithm !== header.algorithm) ambiguous(findings);
  const bytes = algorithm === undefined ? 0 : createHash(algorithm).digest().byteLength;
  if (algorithm === undefined || range === undefined || range.length !== bytes) {
    if (checksum.style.toLowerCase() !== "none") missing(findings, "The checksum of the table of contents is of an unknown kind, or its size or place is wrong.");
    return [];
  }
  const hex = Buffer.from(source.read(range.start, bytes)).toString("hex");
  return [{ kind: "measured", measure: algorithm, hex, declaredBy: "the heap", observed: () => digestOf(source, header, algorithm) }];
}

function digestOf(source: ByteSource, { headerBytes, tocBytes }: XarHeader, algorithm: string): string {
  const hash = createHash(algorithm);
  for (let at = 0; at < tocBytes; at += 1 << 20) hash.update(source.read(headerBytes + at, Math.min(1 << 20, tocBytes - at)));
  return hash.digest("hex");
}

function missing(findings: FindingReport, detail: string): void {
  findings.add({ anomaly: "missing_integrity", offset: null, detail, effect: "Nothing shows whether the table of contents was changed." });
}

function ambiguous(findings: FindingReport): void {
  findings.add({
    anomaly: "ambiguous_header",
    offset: 24,
    detail: "The header names another checksum algorithm than the table of contents.",
    effect: "Readers that go by the one and readers that go by the other compare different checksums.",
  });
}

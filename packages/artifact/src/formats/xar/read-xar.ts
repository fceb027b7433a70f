import { isReaError, throwIfAborted, type ByteSource } from "@rea/core";
import { zlib } from "../../codecs/zlib.js";
import { isUnavailable, type DeclaredCheck, type Entry, type EntryContent, type EntryKind, type EntryName, type ReaderInput, type Unavailable } from "../../format.js";
import { utf8Name } from "../../reading/entry-name.js";
import { FindingReport } from "../../reading/finding-report.js";
import { sourceStream } from "../../reading/source-stream.js";
import { malformed } from "../sequential/damage.js";
import { tocChecks, tocMember } from "./toc-member.js";
import { openHeapData } from "./xar-content.js";
import { heapRange, placeOf, reportHeap } from "./xar-heap.js";
import { xarHeader, type XarHeader } from "./xar-header.js";
import { readXarToc, type XarFile, type XarToc } from "./xar-toc.js";

/** Tables of contents that are larger uncompressed are not read to their end. */
const longestToc = 32 * 1024 * 1024;
/** Directories nested deeper have no usable path. */
const deepestDirectory = 256;

/** Reads a xar archive: its table of contents first, then members in the table's order. */
export async function* readXar(source: ByteSource, input: ReaderInput): AsyncGenerator<Entry, void, undefined> {
  const header = xarHeader(source);
  if (header === undefined) {
    malformed(input, 0, "The header is cut short, or the table of contents reaches past the end of the archive.");
    return;
  }
  const findings = new FindingReport(input.report);
  const toc = await readToc(source, header, input, findings);
  yield tocMember(source, header, tocChecks(source, header, toc, findings), input);
  reportParts(source, header, toc, input);
  const members = new Members({ source, header, toc, input, findings });
  for (const file of toc.files) {
    throwIfAborted(input.signal, "read_xar");
    const entry = members.entry(file);
    if (entry !== undefined) yield entry;
  }
  reportHeap(source, header, toc.pieces, findings);
  findings.finish();
}

async function readToc(source: ByteSource, header: XarHeader, input: ReaderInput, findings: FindingReport): Promise<XarToc> {
  const toc: XarToc = { files: [], pieces: [], checksum: undefined };
  const { bytes, isWhole } = await tocText(source, header, input);
  try {
    readXarToc(bytes.toString("utf8"), toc);
  } catch (error) {
    if (!isReaError(error) || error.code !== "artifact_operation_failed") throw error;
    malformed(input, header.headerBytes, `The table of contents breaks off: ${error.message}`);
    return toc;
  }
  if (!isWhole) malformed(input, header.headerBytes, "The table of contents is damaged or larger than what is read of one.");
  if (isWhole && bytes.byteLength !== header.tocPlainBytes) {
    findings.add({
      anomaly: "header_size_mismatch",
      offset: 16,
      detail: `The table of contents has ${String(bytes.byteLength)} bytes, the header declares ${String(header.tocPlainBytes)}.`,
      effect: "Readers that trust the declared size see less of the table, or refuse the archive.",
    });
  }
  return toc;
}

async function tocText(source: ByteSource, { headerBytes, tocBytes }: XarHeader, { signal }: ReaderInput): Promise<{ readonly bytes: Buffer; readonly isWhole: boolean }> {
  const pieces: Uint8Array[] = [];
  let total = 0;
  try {
    for await (const piece of zlib.decompress(sourceStream(source, headerBytes, tocBytes), { signal })) {
      total += piece.byteLength;
      if (total > longestToc) break;
      pieces.push(piece);
    }
  } catch (error) {
    if (!isReaError(error) || error.code !== "artifact_operation_failed") throw error;
    return { bytes: Buffer.concat(pieces), isWhole: false };
  }
  return { bytes: Buffer.concat(pieces), isWhole: total <= longestToc };
}

function reportParts(source: ByteSource, header: XarHeader, { pieces }: XarToc, { report }: ReaderInput): void {
  for (const piece of pieces) {
    if (piece.role === "data" || piece.role === "ea") continue;
    const range = heapRange(source, header, placeOf(piece));
    if (range === undefined) report.omission({ scope: "A checksum or signature lies outside the archive.", reason: "malformed", count: 1, limit: null, how_to_continue: null });
    else report.part({ part: piece.role === "checksum" ? "checksum of the table of contents" : "signature", offset: range.start, length: range.length });
  }
}

interface Archive {
  readonly source: ByteSource;
  readonly header: XarHeader;
  readonly toc: XarToc;
  readonly input: ReaderInput;
  readonly findings: FindingReport;
}

const kinds: ReadonlyMap<string, EntryKind> = new Map([["file", "file"], ["directory", "directory"], ["symlink", "symlink"]]);

/** Of the names of one file the "original" has the data, the others name its id. */
function kindOf({ type, linkId }: XarFile): EntryKind {
  if (type !== "hardlink") return kinds.get(type) ?? "special";
  return linkId === undefined || linkId === "original" ? "file" : "hardlink";
}

/** Makes entries of the files of a table. */
class Members {
  readonly #archive: Archive;
  readonly #byId: ReadonlyMap<string, XarFile>;

  constructor(archive: Archive) {
    this.#archive = archive;
    this.#byId = new Map(archive.toc.files.flatMap((file) => (file.id === undefined ? [] : [[file.id, file] as const])));
  }

  /** Undefined for a file without a usable path, which is reported. */
  entry(file: XarFile): Entry | undefined {
    const { input, findings } = this.#archive;
    const name = nameOf(file);
    if (name === undefined) {
      malformed(input, this.#archive.header.headerBytes, "A file of the table of contents has no name or is nested too deep.");
      return undefined;
    }
    if (file.name?.includes(0x2f) === true) {
      findings.add({ anomaly: "unsafe_name", offset: null, detail: "The name of one file holds a slash, so it means more than one level.", effect: "Readers that write names as they are put the file elsewhere." }, name);
    }
    const kind = kindOf(file);
    const base = { name, kind, encrypted: false, linkTarget: this.#linkTarget(kind, file) };
    const limitations = file.attributes > 0 ? [`${String(file.attributes)} extended attributes of the member are not read.`] : [];
    if (kind !== "file") return { ...base, declaredBytes: null, compressedBytes: null, location: null, executable: null, checks: [], limitations, content: null };
    const opened = this.#opened(file, name);
    return {
      ...base,
      ...opened,
      declaredBytes: file.data === undefined ? 0 : (file.data.size ?? null),
      compressedBytes: opened.location?.length ?? null,
      executable: file.mode === undefined ? null : (file.mode & 0o111) !== 0,
      limitations: [...opened.limitations, ...limitations],
    };
  }

  #opened({ data }: XarFile, name: EntryName): Opened {
    const { source, header, input, findings } = this.#archive;
    if (data === undefined) return { content: { stream: () => sourceStream(source, 0, 0), whole: () => new Uint8Array(0) }, checks: [], limitations: [], location: null };
    const range = heapRange(source, header, data);
    if (range === undefined) {
      return { content: { reason: "malformed", why: "The data's place is missing or lies outside the archive." }, checks: [], limitations: [], location: null };
    }
    const opened = openHeapData({ source, ...range, size: data.size, encoding: data.encoding, archived: data.archived, extracted: data.extracted }, input, (usedBytes) => {
      findings.add(
        {
          anomaly: "gap",
          offset: range.start + usedBytes,
          detail: `The compressed data ends ${String(range.length - usedBytes)} bytes before its declared length.`,
          effect: "No reader of the archive shows these bytes.",
        },
        name,
      );
    });
    return { ...opened, location: { offset: range.start, length: range.length }, limitations: isUnavailable(opened.content) ? [] : opened.limitations };
  }

  #linkTarget(kind: EntryKind, { linkId, linkTarget }: XarFile): Uint8Array | null {
    if (kind === "symlink") return Buffer.from(linkTarget ?? "");
    if (kind !== "hardlink") return null;
    const target = linkId === undefined ? undefined : this.#byId.get(linkId);
    return (target === undefined ? undefined : nameOf(target)?.bytes) ?? new Uint8Array(0);
  }
}

interface Opened {
  readonly content: EntryContent | Unavailable;
  readonly checks: readonly DeclaredCheck[];
  readonly limitations: readonly string[];
  readonly location: { readonly offset: number; readonly length: number } | null;
}

/** The path of a file; undefined when a name on it is missing or it is too deep. */
function nameOf(file: XarFile): EntryName | undefined {
  const parts: Buffer[] = [];
  for (let at: XarFile | undefined = file; at !== undefined; at = at.parent) {
    if (at.name === undefined || parts.length >= deepestDirectory) return undefined;
    parts.push(at.name);
  }
  return utf8Name(Buffer.concat(parts.reverse().flatMap((part, index) => (index === 0 ? [part] : [slash, part]))));
}

const slash = Buffer.from("/");

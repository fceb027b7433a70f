import { ReaError } from "@rea/core";
import type { Entry, EntryContent, Unavailable } from "../../format.js";
import type { SequentialReader } from "../../reading/sequential-reader.js";
import { malformed } from "../sequential/damage.js";
import { memberFacts, type MemberExtensions, type MemberFacts } from "./member-facts.js";
import { ambiguities } from "./ambiguities.js";
import type { EntryContext } from "./entry-context.js";
import { expectedMember } from "./ordinary-member.js";
import { leadingMap, oldGnuMap, paxMap, storedLength, type SparseMap } from "./sparse-map.js";
import { sparseMember, storedMember } from "./stored-member.js";
import { streamedMember } from "./streamed-member.js";
import { blockBytes, isZeroBlock, paddingOf, parseTarHeader, type TarHeader } from "./tar-header.js";

/** An entry and where the block behind its data stands. */
export interface PlacedEntry {
  readonly entry: Entry;
  readonly end: number;
}


export interface EntryParts {
  readonly header: TarHeader;
  readonly extensions: MemberExtensions;
  /** Where the first header of the member and its own one stand. */
  readonly start: number;
  readonly offset: number;
}

/** Makes a member's entry. The reader stands behind its header, and behind its sparse map when it is done. */
export async function tarEntry(context: EntryContext, parts: EntryParts): Promise<PlacedEntry> {
  const { reader, findings } = context;
  const { header, extensions, offset } = parts;
  const facts = memberFacts(header, extensions);
  for (const finding of ambiguities(header, extensions, offset)) findings.add(finding, facts.name);
  const behindHeader = reader.position;
  const sparse = await sparseMapOf(context, parts, facts);
  // Old GNU maps go on in blocks before the data; that of pax 1.0 is a part of it.
  const dataStart = header.typeflag === "S" ? reader.position : behindHeader;
  const stored = await storedBytes(context, facts, header, offset);
  const end = dataStart + (stored ?? 0) + paddingOf(stored ?? 0);
  const content = contentOf(context, { facts, sparse, stored, offset });
  const entry = entryOf(facts, { content, sparse, stored, start: parts.start, end });
  const expected = sparse === undefined ? expectedMember(header, facts, extensions.isPlain) : undefined;
  if (expected === undefined || end > (reader.source?.size ?? end)) return { entry, end };
  return { entry: await streamedMember(context, { entry, expected, raw: [...extensions.raw, header.block], start: parts.start, dataStart, end }), end };
}

type SparseState = SparseMap | Unavailable | undefined;

/** The member's sparse map; `Unavailable` when it has one that makes no sense. */
async function sparseMapOf({ reader }: EntryContext, { header, extensions }: EntryParts, facts: MemberFacts): Promise<SparseState> {
  const { values } = extensions;
  try {
    if (header.typeflag === "S") return checkedAgainst(await oldGnuMap(reader, header.block), facts.storedBytes);
    if (values.bytes("GNU.sparse.major") === undefined) {
      const map = paxMap(values);
      return map === undefined ? undefined : checkedAgainst(map, facts.storedBytes);
    }
    if (values.number("GNU.sparse.major") !== 1 || values.number("GNU.sparse.minor") !== 0) {
      return { reason: "unsupported_method", why: "The sparse member is of a version that is not known." };
    }
    return checkedAgainst(await leadingMap(reader, values.number("GNU.sparse.realsize"), facts.storedBytes ?? 0), facts.storedBytes);
  } catch (error) {
    if (!(error instanceof ReaError) || error.code !== "artifact_operation_failed") throw error;
    return { reason: "malformed", why: error.message };
  }
}

function checkedAgainst(map: SparseMap, stored: number | undefined): SparseState {
  if (storedLength(map) + map.mapBytes <= (stored ?? 0)) return map;
  return { reason: "malformed", why: "The sparse map asks for more data than the member stores." };
}

/** Bytes of data behind the header; undefined when the field is malformed, which is reported. */
async function storedBytes({ reader, input, findings }: EntryContext, facts: MemberFacts, header: TarHeader, offset: number): Promise<number | undefined> {
  const { storedBytes: size, kind, name } = facts;
  if (size === undefined || size < 0) {
    malformed(input, offset, size === undefined ? "The size of a member is no number." : `The size of a member is negative (${String(size)}).`);
    return undefined;
  }
  if (size === 0 || kind === "file" || header.typeflag === "D") return size;
  const bare = await headerFollows(reader);
  findings.add(
    {
      anomaly: "header_size_mismatch",
      offset,
      detail: `A member of a kind without content declares ${String(size)} bytes; ${bare ? "none follow" : "they follow"}.`,
      effect: "Readers that trust the size and readers that trust the kind go on at different places.",
    },
    name,
  );
  return bare ? 0 : size;
}

/** True when a header, the end marker or the end of the archive comes next. */
async function headerFollows(reader: SequentialReader): Promise<boolean> {
  const block = await reader.peek(blockBytes);
  return block.byteLength < blockBytes || isZeroBlock(block) || parseTarHeader(block) !== undefined;
}

interface ContentParts {
  readonly facts: MemberFacts;
  readonly sparse: SparseState;
  readonly stored: number | undefined;
  readonly offset: number;
}

function contentOf({ reader, findings }: EntryContext, { facts, sparse, stored, offset }: ContentParts): EntryContent | Unavailable | null {
  if (facts.kind !== "file") return facts.kind === "hardlink" && stored !== undefined && stored > 0 ? storedMember(reader, stored) : null;
  if (stored === undefined) return { reason: "malformed", why: "The size of the member cannot be read." };
  if (sparse === undefined) return storedMember(reader, stored);
  if ("reason" in sparse) return sparse;
  if (sparse.extents.slice(0, -1).some(({ length }) => length % blockBytes !== 0)) {
    const detail = "Parts of a sparse member are no whole blocks; their data was taken as it stands, without gaps.";
    findings.add({ anomaly: "ambiguous_header", offset, detail, effect: "GNU tar starts each part at a new block and gives other content." }, facts.name);
  }
  const surplus = stored - sparse.mapBytes - storedLength(sparse);
  if (surplus > 0) {
    const detail = `A sparse member stores ${String(surplus)} bytes more than its map uses.`;
    findings.add({ anomaly: "header_size_mismatch", offset, detail, effect: "No reader shows these bytes." }, facts.name);
  }
  return sparseMember(reader, sparse);
}

interface EntryFields {
  readonly content: EntryContent | Unavailable | null;
  readonly sparse: SparseState;
  readonly stored: number | undefined;
  readonly start: number;
  readonly end: number;
}

function entryOf(facts: MemberFacts, { content, sparse, stored, start, end }: EntryFields): Entry {
  const map = sparse !== undefined && "extents" in sparse ? sparse : undefined;
  const isFile = facts.kind === "file";
  const declared = isFile ? (map?.realBytes ?? stored ?? null) : null;
  return {
    name: facts.name,
    kind: facts.kind,
    declaredBytes: declared,
    // Holes are stated, not compressed: no ratio is to be told from them.
    compressedBytes: isFile && map === undefined ? (stored ?? null) : null,
    location: { offset: start, length: end - start },
    encrypted: false,
    linkTarget: facts.kind === "symlink" || facts.kind === "hardlink" ? facts.link : null,
    executable: facts.executable,
    checks: declared === null ? [] : [{ kind: "size", bytes: declared }],
    limitations: facts.limitations,
    content,
  };
}

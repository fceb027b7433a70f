import { brokenData } from "../../codecs/broken-data.js";
import type { Entry, EntryContent, EntryKind, EntryName, ReaderInput } from "../../format.js";
import type { SequentialReader } from "../../reading/sequential-reader.js";
import { storedContent } from "../sequential/stored-content.js";
import type { CpioHeader } from "./cpio-header.js";

export interface CpioMember {
  readonly header: CpioHeader;
  readonly name: EntryName;
  readonly offset: number;
  /** The content of a symbolic link, taken already. */
  readonly linkTarget: Uint8Array | null;
}

const kinds: { readonly [type: number]: EntryKind | undefined } = { 0o04: "directory", 0o10: "file", 0o12: "symlink", 0o01: "special", 0o02: "special", 0o06: "special", 0o14: "special" };

/** What a mode says of a member; a mode without a type is a file's. */
export function cpioEntryKind(mode: number): EntryKind {
  return kinds[(mode >> 12) & 0o17] ?? "file";
}

/** The entry of a member whose data the reader stands before. */
export function cpioEntry(reader: SequentialReader, input: ReaderInput, { header, name, offset, linkTarget }: CpioMember): Entry {
  const kind = cpioEntryKind(header.mode);
  const isFile = kind === "file";
  return {
    name,
    kind,
    declaredBytes: isFile ? header.size : null,
    compressedBytes: isFile ? header.size : null,
    location: { offset, length: reader.position - offset + (linkTarget === null ? header.size : 0) },
    encrypted: false,
    linkTarget,
    executable: isFile ? (header.mode & 0o111) !== 0 : null,
    checks: isFile ? [{ kind: "size", bytes: header.size }] : [],
    limitations: [],
    content: isFile ? contentOf(reader, input, { header, name, offset }) : null,
  };
}

function contentOf(reader: SequentialReader, input: ReaderInput, member: Omit<CpioMember, "linkTarget">): EntryContent {
  const { header } = member;
  if (header.size === 0) return { stream: () => storedContent(reader, 0) };
  return { stream: () => (header.kind === "crc" ? summed(reader, input, member) : storedContent(reader, header.size)) };
}

/** Content with the sum of its bytes, which the "crc" layout declares; a wrong one is reported and breaks the content. */
async function* summed(reader: SequentialReader, input: ReaderInput, { header, name, offset }: Omit<CpioMember, "linkTarget">): AsyncGenerator<Uint8Array, void, undefined> {
  let sum = 0;
  for await (const piece of storedContent(reader, header.size)) {
    for (const byte of piece) sum += byte;
    yield piece;
  }
  if (sum % 2 ** 32 === header.sum) return;
  input.report.anomaly({
    anomaly: "crc_mismatch",
    name,
    offset,
    detail: `The bytes of the member add up to ${String(sum % 2 ** 32)}; its header declares ${String(header.sum)}.`,
    effect: "Readers that do not add them up take the content as it is.",
  });
  throw brokenData("The checksum of the member does not hold.", offset);
}

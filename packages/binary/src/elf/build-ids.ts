import type { Findings } from "../findings.js";
import type { BuildId, FileRange, Table } from "../image.js";
import { decodeName } from "../name-text.js";
import type { ElfFile } from "./elf-file.js";
import { readGoBuildInfo } from "./go-build-info.js";
import type { ElfNote } from "./notes.js";
import { insideFile } from "./ranges.js";
import { sectionTypes } from "./section-headers.js";

/** Identity notes, compiler comments, debug link and Go build information. */
export function buildIdTable(file: ElfFile, notes: readonly ElfNote[], findings: Findings): Table<BuildId> {
  const items = [
    ...notes.flatMap((note) => noteId(file, note)),
    ...comments(file),
    ...debugLink(file),
    ...readGoBuildInfo(file),
  ];
  return { items, omissions: findings.list() };
}

const systems = ["Linux", "GNU/Hurd", "Solaris", "FreeBSD", "NetBSD", "Syllable", "Native Client"];

function noteId(file: ElfFile, note: ElfNote): BuildId[] {
  const { description } = note;
  const text = (): string => decodeName(trimmed(description));
  const made = (kind: string, value: string, detail?: string): BuildId[] => [{ kind, value, detail, file: note.file }];
  if (note.owner === "GNU" && note.type === 3) return made("gnu-build-id", Buffer.from(description).toString("hex"));
  if (note.owner === "GNU" && note.type === 1 && description.length >= 16) return made("abi-tag", abiTag(file, description));
  if (note.owner === "GNU" && note.type === 4) return made("linker-version", text());
  if (note.owner === "Go" && note.type === 4) return made("go-build-id", text());
  if (note.owner === "FDO" && note.type === 0xcafe1a7e) return made("package-note", text());
  if (note.owner === "Android" && note.type === 1 && description.length >= 4) {
    const ndk = description.length >= 68 ? decodeName(trimmed(description.subarray(4, 68))) : undefined;
    return made("android-ident", `API ${String(word(file, description, 0))}`, ndk);
  }
  return [];
}

function abiTag(file: ElfFile, description: Uint8Array): string {
  const [system, major, minor, patch] = [0, 4, 8, 12].map((at) => word(file, description, at));
  const name = systems[system ?? -1] ?? `system ${String(system)}`;
  return `${name} ${String(major)}.${String(minor)}.${String(patch)}`;
}

function word(file: ElfFile, bytes: Uint8Array, at: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(at, file.header.endian === "little");
}

/** Bytes up to the first NUL. */
function trimmed(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(0);
  return end < 0 ? bytes : bytes.subarray(0, end);
}

const commentBytes = 64 * 1024;

/** `.comment` holds one NUL-terminated text for each compiler and linker that took part. */
function comments(file: ElfFile): readonly BuildId[] {
  const section = file.sections.find((entry) => entry.name === ".comment" && entry.type !== sectionTypes.noBits);
  if (section === undefined) return [];
  const range = insideFile(file, section.offset, Math.min(section.size, commentBytes));
  return texts(file, range).map(({ text, place }) => ({ kind: "compiler-comment", value: text, detail: undefined, file: place }));
}

function texts(file: ElfFile, range: FileRange): readonly { readonly text: string; readonly place: FileRange }[] {
  const bytes = file.reader.bytes(range.offset, range.size);
  const found: { readonly text: string; readonly place: FileRange }[] = [];
  const seen = new Set<string>();
  let start = 0;
  while (start < bytes.length) {
    const zero = bytes.indexOf(0, start);
    const end = zero < 0 ? bytes.length : zero;
    const text = decodeName(bytes.subarray(start, end));
    if (text !== "" && !seen.has(text)) found.push({ text, place: { offset: range.offset + start, size: end - start } });
    seen.add(text);
    start = end + 1;
  }
  return found;
}

/** `.gnu_debuglink`: name of the separate debug file, padded to four bytes, then its CRC-32. */
function debugLink(file: ElfFile): readonly BuildId[] {
  const section = file.sections.find((entry) => entry.name === ".gnu_debuglink" && entry.type !== sectionTypes.noBits);
  if (section === undefined) return [];
  const range = insideFile(file, section.offset, Math.min(section.size, 4096));
  const bytes = file.reader.bytes(range.offset, range.size);
  const name = trimmed(bytes);
  const crcAt = (name.length + 4) & ~3;
  const detail = crcAt + 4 <= bytes.length ? `crc32 ${word(file, bytes, crcAt).toString(16).padStart(8, "0")}` : undefined;
  return [{ kind: "gnu-debuglink", value: decodeName(name), detail, file: range }];
}

import { sourceSlice, type ByteSource, type SubjectFormat } from "@rea/core";
import { readElfFile } from "../elf/elf-file.js";
import { readNotes } from "../elf/notes.js";
import { headerProblem } from "../executable-header.js";
import { Findings, isFormatError } from "../findings.js";
import type { BinaryImage, FileRange, Section } from "../image.js";
import { signatureFormat } from "../signatures.js";
import type { ContainerHint } from "./container-hint.js";
import { peResources, type PeResource } from "./pe-resources.js";
import { bunTrailer } from "./trailer-hints.js";

const packed: ReadonlySet<SubjectFormat> = new Set<SubjectFormat>(["zip", "7z", "xz", "zstd", "gzip", "bzip2", "lz4", "cab", "squashfs", "rpm", "deb", "ole", "elf"]);
const searchedSections = 256;
const leastBytes = 64;
const hintsShown = 64;
const seaBlob = "NODE_SEA_BLOB";

/** Containers that are a section, a note or a resource of their own. */
export function sectionHints(image: BinaryImage): readonly ContainerHint[] {
  const sections = image.sections().items.slice(0, searchedSections).flatMap((section) => sectionHint(image.source, section));
  return [...sections, ...noteHints(image), ...resourceHints(image)];
}

function sectionHint(source: ByteSource, { name, file, kind }: Section): readonly ContainerHint[] {
  if (file === undefined || file.offset + file.size > source.size) return [];
  if (name === "__NODE_SEA_BLOB") return [{ kind: "node-sea-blob", basis: "section of a Node.js single executable application", file }];
  if (name === ".bun" || name === "__bun") return bunSection(source, file);
  if (file.size < leastBytes || kind === "code") return [];
  const format = packedFormat(source, file);
  return format === undefined ? [] : [{ kind: format, basis: "signature at the start of a section", file }];
}

function packedFormat(source: ByteSource, file: FileRange): SubjectFormat | undefined {
  const content = sourceSlice(source, file.offset, file.size);
  const format = signatureFormat(content);
  if (format === undefined || !packed.has(format)) return undefined;
  return format === "elf" && !isElfProgram(content) ? undefined : format;
}

/** Loaders hold the first bytes of a program as a constant, without a type. */
function isElfProgram(content: ByteSource): boolean {
  return content.read(16, 2).some((byte) => byte !== 0) && headerProblem(content, "elf") === undefined;
}

/** A length, the modules, and the line that ends them. */
function bunSection(source: ByteSource, file: FileRange): readonly ContainerHint[] {
  const length = file.size < 8 ? 0 : Number(Buffer.from(source.read(file.offset, 8)).readBigUInt64LE(0));
  const end = file.offset + 8 + length;
  const fits = length >= bunTrailer.byteLength && end <= file.offset + file.size;
  if (!fits || !bunTrailer.equals(source.read(end - bunTrailer.byteLength, bunTrailer.byteLength))) return [];
  return [{ kind: "bun-single-file", basis: "section of a Bun program that ends with its trailer", file: { offset: file.offset + 8, size: length } }];
}

function noteHints({ format, source }: BinaryImage): readonly ContainerHint[] {
  if (format !== "elf") return [];
  const notes = orNone(() => readNotes(readElfFile(source), new Findings()));
  return notes
    .filter(({ owner }) => owner === seaBlob)
    .map(({ file }) => {
      // The name is filled up to a multiple of four; the data follows.
      const header = 12 + Math.ceil((seaBlob.length + 1) / 4) * 4;
      return { kind: "node-sea-blob", basis: "note of a Node.js single executable application", file: { offset: file.offset + header, size: Math.max(0, file.size - header) } };
    });
}

function resourceHints({ format, source }: BinaryImage): readonly ContainerHint[] {
  if (format !== "pe") return [];
  return orNone(() => peResources(source).flatMap((resource) => resourceHint(source, resource))).slice(0, hintsShown);
}

const innoLoader = Buffer.from("rDlPtS", "latin1");

function resourceHint(source: ByteSource, { name, file }: PeResource): readonly ContainerHint[] {
  if (name === seaBlob) return [{ kind: "node-sea-blob", basis: "resource of a Node.js single executable application", file }];
  if (file.size < leastBytes) return file.size >= 6 && innoLoader.equals(source.read(file.offset, 6)) ? [innoSetup(file)] : [];
  if (innoLoader.equals(source.read(file.offset, 6))) return [innoSetup(file)];
  const format = packedFormat(source, file) ?? (isProgram(source, file) ? "pe" : undefined);
  return format === undefined ? [] : [{ kind: format, basis: "signature at the start of a resource", file }];
}

function innoSetup(file: FileRange): ContainerHint {
  return { kind: "inno-setup", basis: "offset table of Inno Setup in a resource", file };
}

/** MZ, and the PE signature where it points. */
function isProgram(source: ByteSource, file: FileRange): boolean {
  const head = Buffer.from(source.read(file.offset, leastBytes));
  const at = head.readUInt32LE(60);
  return head.toString("latin1", 0, 2) === "MZ" && at + 4 <= file.size && Buffer.from(source.read(file.offset + at, 4)).readUInt32LE(0) === 0x4550;
}

function orNone<T>(read: () => readonly T[]): readonly T[] {
  try {
    return read();
  } catch (error) {
    if (!isFormatError(error)) throw error;
    return [];
  }
}

import * as zlib from "node:zlib";
import { ByteReader, type Omission } from "@rea/core";
import { Findings, isFormatError } from "../../findings.js";
import type { BinaryImage, Section } from "../../image.js";

export type DebugSectionName =
  | "info" | "abbrev" | "str" | "line_str" | "str_offsets" | "addr" | "types" | "line" | "rnglists" | "ranges" | "loclists" | "loc";

/** Of one section, and of all together once unpacked. */
const largestSection = 768 * 1024 * 1024;
const largestSum = 1536 * 1024 * 1024;
const scope = "debug information";

/** Sections of debug information by name, unpacked when first asked for. An absent or unreadable one is empty. */
export class DebugSections {
  readonly image: BinaryImage;
  readonly findings = new Findings();
  readonly #found = new Map<string, Section>();
  readonly #bytes = new Map<DebugSectionName, Uint8Array>();
  #sum = 0;

  constructor(image: BinaryImage) {
    this.image = image;
    for (const section of image.sections().items) {
      const name = plainName(section.name);
      if (name !== undefined && !this.#found.has(name)) this.#found.set(name, section);
    }
  }

  has(name: DebugSectionName): boolean {
    return this.#found.has(name);
  }

  /** True where units of the program are in files beside it. */
  get isSplit(): boolean {
    return this.#found.has("gnu_debugaltlink") || this.#found.has("sup");
  }

  bytes(name: DebugSectionName): Uint8Array {
    const known = this.#bytes.get(name);
    if (known !== undefined) return known;
    const read = this.#read(name);
    this.#bytes.set(name, read);
    return read;
  }

  omissions(): readonly Omission[] {
    return this.findings.list();
  }

  #read(name: DebugSectionName): Uint8Array {
    const section = this.#found.get(name);
    if (section?.file === undefined) return nothing;
    const { offset } = section.file;
    // What PE files have behind it is fill.
    const size = Math.min(section.file.size, Number(section.virtualSize));
    try {
      const bytes = this.#unpacked(section, offset, size);
      this.#sum += bytes.length;
      return bytes;
    } catch (error) {
      if (!isFormatError(error) && !isPackingError(error)) throw error;
      this.findings.malformed(scope, offset, "a section cannot be read or unpacked");
      return nothing;
    }
  }

  #unpacked(section: Section, offset: number, size: number): Uint8Array {
    const most = Math.min(largestSection, largestSum - this.#sum);
    const { image } = this;
    const reader = new ByteReader(image.source, image.endian);
    const packing = packingOf(section, reader, { offset, size, bits: image.bits });
    if ((packing?.size ?? size) > most) {
      this.findings.limited(scope, "limit_total_bytes", 1, most);
      return nothing;
    }
    if (packing === undefined) return reader.bytes(offset, size);
    const packed = reader.bytes(offset + packing.header, size - packing.header);
    // A declared size that is too small is damage; one that is too large costs nothing.
    if (packing.kind === "zlib") return zlib.inflateSync(packed, { maxOutputLength: Math.max(1, packing.size) });
    const unpackZstd: unknown = Reflect.get(zlib, "zstdDecompressSync");
    if (typeof unpackZstd === "function") {
      const made: unknown = Reflect.apply(unpackZstd, undefined, [packed, { maxOutputLength: Math.max(1, packing.size) }]);
      if (made instanceof Uint8Array) return made;
    }
    this.findings.note(scope, "unsupported_method", "The sections are packed with Zstandard, which this runtime cannot unpack: run a newer Node.js, or unpack them with objcopy --decompress-debug-sections.");
    return nothing;
  }
}

const nothing = new Uint8Array(0);

/** `info` for `.debug_info`, `.zdebug_info`, `__debug_info` and `__zdebug_info`; Mach-O cuts names at 16 letters. */
function plainName(name: string): string | undefined {
  const found = /^(?:\.|__)(?:z?debug|gnu)_(\w+)$/.exec(name)?.[1];
  if (found === undefined) return undefined;
  if (name.includes("gnu_")) return `gnu_${found}`;
  return found === "str_offs" ? "str_offsets" : found;
}

interface Packing {
  readonly kind: "zlib" | "zstd";
  readonly header: number;
  readonly size: number;
}

/** ELF gABI "Section compression": a header with kind, size and alignment; before it GNU's `ZLIB` and a big-endian size. */
function packingOf({ name, flags }: Section, reader: ByteReader, { offset, size, bits }: { readonly offset: number; readonly size: number; readonly bits: 32 | 64 }): Packing | undefined {
  if (flags.includes("SHF_COMPRESSED")) {
    const kind = reader.u32(offset);
    const unpacked = bits === 64 ? reader.size64(offset + 8) : reader.u32(offset + 4);
    return { kind: kind === 2 ? "zstd" : "zlib", header: bits === 64 ? 24 : 12, size: unpacked };
  }
  if (!name.includes("zdebug") || size < 12 || reader.u32(offset) !== (reader.littleEndian ? 0x42494c5a : 0x5a4c4942)) return undefined;
  return { kind: "zlib", header: 12, size: Number(new ByteReader(reader.source, "big").u64(offset + 4)) };
}

function isPackingError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code: unknown = Reflect.get(error, "code");
  return typeof code === "string" && (code.startsWith("Z_") || code.startsWith("ZSTD_") || code === "ERR_BUFFER_TOO_LARGE");
}

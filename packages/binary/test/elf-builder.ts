/** One section of a made file; the name table and entry 0 are added. */
export interface MadeSection {
  readonly name: string | Uint8Array;
  readonly type: number;
  readonly flags?: number;
  readonly va?: number;
  readonly data?: Uint8Array;
  /** Declared size, where it is to differ from the data's. */
  readonly size?: number;
  readonly link?: number;
  readonly info?: number;
}

export interface MadeElf {
  readonly bits?: 32 | 64;
  readonly endian?: "little" | "big";
  readonly type?: number;
  readonly machine?: number;
  readonly entry?: number;
  readonly sections?: readonly MadeSection[];
  readonly programs?: readonly { readonly type: number; readonly flags?: number; readonly offset: number; readonly va: number; readonly size: number; readonly memorySize?: number }[];
  /** Write counts into section 0 as for tables too large for the header. */
  readonly extended?: boolean;
  readonly overlay?: Uint8Array;
}

/** Little- or big-endian numbers appended to a growing file. */
class Writer {
  readonly #bytes: number[] = [];
  readonly #little: boolean;

  constructor(little: boolean) {
    this.#little = little;
  }

  get length(): number {
    return this.#bytes.length;
  }

  put(value: number | bigint, width: number): void {
    const wanted = BigInt(value);
    for (let index = 0; index < width; index += 1) {
      const shift = BigInt((this.#little ? index : width - 1 - index) * 8);
      this.#bytes.push(Number((wanted >> shift) & 0xffn));
    }
  }

  raw(bytes: Uint8Array): void {
    for (const byte of bytes) this.#bytes.push(byte);
  }

  bytes(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }
}

/** A small ELF file: header, program headers, section contents, name table, section headers, overlay. */
export function makeElf(made: MadeElf): Uint8Array {
  const wide = (made.bits ?? 64) === 64;
  const word = wide ? 8 : 4;
  const writer = new Writer((made.endian ?? "little") === "little");
  const programs = made.programs ?? [];
  const sections = made.sections ?? [];
  const headerSize = wide ? 64 : 52;
  const programSize = wide ? 56 : 32;
  const { names, offsets } = nameTable(sections.map(({ name }) => name));
  const contents = [...sections.map(({ data }) => data ?? new Uint8Array(0)), names];
  const dataStart = headerSize + programs.length * programSize;
  const total = contents.reduce((sum, data) => sum + data.length, 0);
  const count = sections.length + 2;
  const many = made.extended === true;

  writer.raw(Uint8Array.from([0x7f, 0x45, 0x4c, 0x46, wide ? 2 : 1, (made.endian ?? "little") === "little" ? 1 : 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]));
  writer.put(made.type ?? 3, 2);
  writer.put(made.machine ?? 62, 2);
  writer.put(1, 4);
  writer.put(made.entry ?? 0, word);
  writer.put(programs.length === 0 ? 0 : headerSize, word);
  writer.put(dataStart + total, word);
  writer.put(0, 4);
  writer.put(headerSize, 2);
  writer.put(programSize, 2);
  writer.put(many ? 0xffff : programs.length, 2);
  writer.put(wide ? 64 : 40, 2);
  writer.put(many ? 0 : count, 2);
  writer.put(many ? 0xffff : count - 1, 2);
  for (const program of programs) putProgram(writer, wide, program);
  for (const data of contents) writer.raw(data);
  putSection(writer, wide, { name: 0, offset: 0, size: many ? count : 0, link: many ? count - 1 : 0, info: many ? programs.length : 0 });
  let at = dataStart;
  sections.forEach((section, index) => {
    putSection(writer, wide, { ...section, name: offsets[index] ?? 0, offset: at, size: section.size ?? section.data?.length ?? 0 });
    at += section.data?.length ?? 0;
  });
  putSection(writer, wide, { name: offsets[sections.length] ?? 0, type: 3, offset: at, size: names.length });
  writer.raw(made.overlay ?? new Uint8Array(0));
  return writer.bytes();
}

function nameTable(given: readonly (string | Uint8Array)[]): { readonly names: Uint8Array; readonly offsets: readonly number[] } {
  const bytes: number[] = [0];
  const offsets = [...given, ".shstrtab"].map((name) => {
    const offset = bytes.length;
    for (const byte of typeof name === "string" ? Buffer.from(name) : name) bytes.push(byte);
    bytes.push(0);
    return offset;
  });
  return { names: Uint8Array.from(bytes), offsets };
}

interface SectionFields {
  readonly name: number;
  readonly type?: number;
  readonly flags?: number;
  readonly va?: number;
  readonly offset: number;
  readonly size: number;
  readonly link?: number;
  readonly info?: number;
}

function putSection(writer: Writer, wide: boolean, section: SectionFields): void {
  const word = wide ? 8 : 4;
  writer.put(section.name, 4);
  writer.put(section.type ?? 0, 4);
  writer.put(section.flags ?? 0, word);
  writer.put(section.va ?? 0, word);
  writer.put(section.offset, word);
  writer.put(section.size, word);
  writer.put(section.link ?? 0, 4);
  writer.put(section.info ?? 0, 4);
  writer.put(1, word);
  writer.put(0, word);
}

function putProgram(writer: Writer, wide: boolean, program: NonNullable<MadeElf["programs"]>[number]): void {
  const word = wide ? 8 : 4;
  const flags = program.flags ?? 5;
  writer.put(program.type, 4);
  if (wide) writer.put(flags, 4);
  writer.put(program.offset, word);
  writer.put(program.va, word);
  writer.put(program.va, word);
  writer.put(program.size, word);
  writer.put(program.memorySize ?? program.size, word);
  if (!wide) writer.put(flags, 4);
  writer.put(1, word);
}

/** A 64-bit little-endian symbol table of global functions in section 1; entry 0 included. */
export function makeSymbols(nameOffsets: readonly number[]): Uint8Array {
  const writer = new Writer(true);
  writer.raw(new Uint8Array(24));
  nameOffsets.forEach((name, index) => {
    writer.put(name, 4);
    writer.put(0x12, 1);
    writer.put(0, 1);
    writer.put(1, 2);
    writer.put(0x1000 + index * 16, 8);
    writer.put(16, 8);
  });
  return writer.bytes();
}

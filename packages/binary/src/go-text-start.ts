import type { BinaryImage, Section } from "./image.js";
import { rowAt, type LineTable } from "./go-line-table.js";

const searchedBytes = 64 * 1024 * 1024;
/** Words of the module record between its first, the address of the line table, and the bounds of the code. */
const recordWords = 48;

/**
 * Address that the distances of a Go 1.18+ line table count from. The header says it, unless the linker left that to
 * relocation (position-independent programs) or leaves it out (Go 1.26); then the run-time's module record says it, the
 * record that starts with the address of the table and holds the lowest and highest code address before it. The start
 * of the code section comes last, true wherever Go's own linker laid out the code.
 */
export function goTextStart(image: BinaryImage, table: LineTable, tableVa: bigint): bigint | undefined {
  const fits = (va: bigint | undefined): va is bigint => va !== undefined && va !== 0n && isExecutable(image, va);
  if (fits(table.textStart)) return table.textStart;
  const recorded = moduleText(image, table, tableVa);
  if (fits(recorded)) return recorded;
  const section = image.sections().items.find((item) => item.kind === "code" && (item.name === ".text" || item.name === "__text"));
  return fits(section?.va) ? section.va : undefined;
}

function isExecutable(image: BinaryImage, va: bigint): boolean {
  return image.segments().items.some((item) => item.executable && va >= item.va && va < item.va + item.virtualSize);
}

interface Cells {
  readonly bytes: Uint8Array;
  /** Address of the first byte. */
  readonly va: bigint;
}

function moduleText(image: BinaryImage, table: LineTable, tableVa: bigint): bigint | undefined {
  const first = rowAt(table, 0)?.start;
  const last = rowAt(table, table.count - 1)?.end;
  if (first === undefined || last === undefined) return undefined;
  const targets = new Map(image.relocations().items.flatMap(({ va, target }) => (target === undefined ? [] : [[va, target] as const])));
  for (const va of recordPlaces(image, { tableVa, names: tableVa + BigInt(table.namesOffset), width: table.pointerBytes, targets })) {
    const word = (index: number): bigint | undefined => cellAt(image, va + BigInt(index * table.pointerBytes), table, targets);
    for (let index = 2; index < recordWords; index += 1) {
      const text = word(index);
      if (text !== undefined && word(index - 2) === text + first && word(index - 1) === text + last) return text;
    }
  }
  return undefined;
}

interface Wanted {
  readonly tableVa: bigint;
  readonly names: bigint;
  readonly width: 4 | 8;
  readonly targets: ReadonlyMap<bigint, bigint>;
}

const maximumRecords = 64;

/** Cells that hold the address of the table, with that of the name table behind them. */
function* recordPlaces(image: BinaryImage, { tableVa, names, width, targets }: Wanted): Generator<bigint> {
  let left = maximumRecords;
  for (const [va, target] of targets) {
    if (target !== tableVa || targets.get(va + BigInt(width)) !== names) continue;
    yield va;
    left -= 1;
    if (left === 0) break;
  }
  const pattern = Buffer.alloc(2 * width);
  const view = new DataView(pattern.buffer, pattern.byteOffset, pattern.byteLength);
  [tableVa, names].forEach((value, index) => {
    if (width === 8) view.setBigUint64(index * 8, value, image.endian === "little");
    else view.setUint32(index * 4, Number(value & 0xffff_ffffn), image.endian === "little");
  });
  for (const { bytes, va } of dataCells(image)) {
    const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(pattern);
    if (at >= 0) yield va + BigInt(at);
  }
}

function* dataCells(image: BinaryImage): Generator<Cells> {
  let left = searchedBytes;
  const isData = ({ kind }: Section): boolean => kind === "data" || kind === "rodata" || kind === "other";
  const sections = image.sections().items.filter(isData).slice(0, 512);
  const segments = image.segments().items.filter((item) => !item.executable).slice(0, 64);
  for (const { va, file } of sections.length > 0 ? sections : segments) {
    if (va === undefined || file === undefined) continue;
    const size = Math.max(0, Math.min(file.size, left, image.source.size - file.offset));
    if (size > 0) yield { bytes: image.source.read(file.offset, size), va };
    left -= size;
  }
}

function cellAt(image: BinaryImage, va: bigint, table: LineTable, targets: ReadonlyMap<bigint, bigint>): bigint | undefined {
  const relocated = targets.get(va);
  if (relocated !== undefined) return relocated;
  const { pointerBytes: width } = table;
  const segment = image.segments().items.find((item) => va >= item.va && va + BigInt(width) <= item.va + BigInt(item.file.size));
  if (segment === undefined) return undefined;
  const offset = segment.file.offset + Number(va - segment.va);
  if (offset + width > image.source.size) return undefined;
  const bytes = image.source.read(offset, width);
  const view = new DataView(bytes.buffer, bytes.byteOffset, width);
  const little = image.endian === "little";
  return width === 8 ? view.getBigUint64(0, little) : BigInt(view.getUint32(0, little));
}

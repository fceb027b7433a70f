export interface BuiltStream {
  readonly name: string;
  readonly content: Buffer;
  /** The size as the directory declares it. */
  readonly declared?: number;
  /** The first sector as the directory declares it. */
  readonly start?: number;
}

export interface BuiltStorage {
  readonly name: string;
  readonly members: readonly (BuiltStream | BuiltStorage)[];
}

export interface BuiltOle {
  readonly members: readonly (BuiltStream | BuiltStorage)[];
  readonly version?: 3 | 4;
  readonly classId?: string;
  /** Bytes behind each stream's end in its last sector. */
  readonly slack?: number;
  /** Members are not sorted. */
  readonly unsorted?: boolean;
  /** Changes to entries of the directory, by number: offset and 32-bit value. */
  readonly patchEntries?: readonly (readonly [entry: number, offset: number, value: number])[];
  /** Changes to the allocation table. */
  readonly patchTable?: readonly (readonly [sector: number, value: number])[];
  readonly patchHeader?: readonly (readonly [offset: number, value: number])[];
  /** Sectors that nobody owns: their content, and the table's value for them. */
  readonly extra?: readonly (readonly [content: Buffer, mark: number])[];
}

const end = 0xfffffffe;
const free = 0xffffffff;
const fatMark = 0xfffffffd;
const difatMark = 0xfffffffc;

interface Row {
  readonly name: string;
  readonly type: number;
  left: number;
  right: number;
  child: number;
  start: number;
  size: number;
}

/** A compound file sector by sector. */
class Builder {
  readonly sectorBytes: number;
  readonly sectors: Buffer[] = [];
  readonly table: number[] = [];
  readonly rows: Row[] = [];
  readonly #options: BuiltOle;
  #small = Buffer.alloc(0);
  readonly #smallTable: number[] = [];

  constructor(options: BuiltOle) {
    this.#options = options;
    this.sectorBytes = options.version === 4 ? 4096 : 512;
  }

  build(): Buffer {
    const root: Row = { name: "Root Entry", type: 5, left: free, right: free, child: free, start: end, size: 0 };
    this.rows.push(root);
    root.child = this.#storage(this.#options.members);
    for (const [content, mark] of this.#options.extra ?? []) {
      this.sectors.push(padded(content, this.sectorBytes, 0));
      this.table.push(mark);
    }
    root.size = this.#small.byteLength;
    root.start = this.#chain(this.#small);
    const smallTable = Buffer.alloc(this.#smallTable.length * 4);
    this.#smallTable.forEach((value, index) => smallTable.writeUInt32LE(value, index * 4));
    const smallStart = this.#chain(smallTable, 0xff);
    const directory = Buffer.concat(this.rows.map((row, index) => this.#row(row, index)));
    const directoryStart = this.#chain(directory, 0);
    const { places, lists } = this.#writeTable();
    const header = Buffer.alloc(this.sectorBytes);
    header.write("d0cf11e0a1b11ae1", "hex");
    header.writeUInt16LE(0x3e, 24);
    header.writeUInt16LE(this.#options.version ?? 3, 26);
    header.writeUInt16LE(0xfffe, 28);
    header.writeUInt16LE(Math.log2(this.sectorBytes), 30);
    header.writeUInt16LE(6, 32);
    header.writeUInt32LE(this.#options.version === 4 ? Math.ceil(directory.byteLength / this.sectorBytes) : 0, 40);
    header.writeUInt32LE(places.length, 44);
    header.writeUInt32LE(directoryStart, 48);
    header.writeUInt32LE(4096, 56);
    header.writeUInt32LE(smallStart, 60);
    header.writeUInt32LE(Math.ceil(smallTable.byteLength / this.sectorBytes), 64);
    header.writeUInt32LE(lists[0] ?? end, 68);
    header.writeUInt32LE(lists.length, 72);
    for (let index = 0; index < 109; index += 1) header.writeUInt32LE(places[index] ?? free, 76 + index * 4);
    for (const [offset, value] of this.#options.patchHeader ?? []) header.writeUInt32LE(value >>> 0, offset);
    return Buffer.concat([header, ...this.sectors]);
  }

  /** Rows of the members as a tree of siblings; answers its root. */
  #storage(members: readonly (BuiltStream | BuiltStorage)[]): number {
    const sorted = this.#options.unsorted === true ? [...members] : [...members].sort((a, b) => a.name.length - b.name.length || (a.name.toUpperCase() < b.name.toUpperCase() ? -1 : 1));
    const ids = sorted.map((member) => this.#member(member));
    const tree = (from: number, to: number): number => {
      if (from >= to) return free;
      const middle = (from + to) >> 1;
      const id = ids[middle] ?? 0;
      const row = this.rows[id];
      if (row !== undefined) {
        row.left = tree(from, middle);
        row.right = tree(middle + 1, to);
      }
      return id;
    };
    return tree(0, ids.length);
  }

  #member(member: BuiltStream | BuiltStorage): number {
    const id = this.rows.length;
    const row: Row = { name: member.name, type: 1, left: free, right: free, child: free, start: 0, size: 0 };
    this.rows.push(row);
    if ("members" in member) {
      row.child = this.#storage(member.members);
      return id;
    }
    const stream = { ...row, type: 2, start: member.start ?? this.#stream(member.content), size: member.declared ?? member.content.byteLength };
    this.rows[id] = stream;
    return id;
  }

  #stream(content: Buffer): number {
    if (content.byteLength === 0) return end;
    if (content.byteLength >= 4096) return this.#chain(content, this.#options.slack ?? 0);
    const start = this.#smallTable.length;
    const whole = padded(content, 64, this.#options.slack ?? 0);
    this.#small = Buffer.concat([this.#small, whole]);
    for (let left = whole.byteLength / 64; left > 0; left -= 1) this.#smallTable.push(left === 1 ? end : this.#smallTable.length + 1);
    return start;
  }

  #chain(content: Buffer, fill = 0): number {
    if (content.byteLength === 0) return end;
    const start = this.sectors.length;
    for (let at = 0; at < content.byteLength; at += this.sectorBytes) {
      this.sectors.push(padded(content.subarray(at, at + this.sectorBytes), this.sectorBytes, fill));
      this.table.push(at + this.sectorBytes >= content.byteLength ? end : this.sectors.length);
    }
    return start;
  }

  #row(row: Row, index: number): Buffer {
    const bytes = Buffer.alloc(128);
    bytes.write(row.name, 0, "utf16le");
    bytes.writeUInt16LE(row.name.length * 2 + 2, 64);
    bytes.writeUInt8(row.type, 66);
    bytes.writeUInt8(1, 67);
    for (const [at, value] of [[68, row.left], [72, row.right], [76, row.child], [116, row.start]] as const) bytes.writeUInt32LE(value, at);
    if (index === 0) bytes.write(this.#options.classId ?? "", 80, "hex");
    bytes.writeBigUInt64LE(BigInt(row.size), 120);
    for (const [entry, offset, value] of this.#options.patchEntries ?? []) if (entry === index) bytes.writeUInt32LE(value >>> 0, offset);
    return bytes;
  }

  /** The allocation table, and lists of its sectors where the header has no room for them. */
  #writeTable(): { readonly places: readonly number[]; readonly lists: readonly number[] } {
    const perSector = this.sectorBytes / 4;
    const data = this.table.length;
    let count = 0;
    let listCount = 0;
    while (count * perSector < data + count + listCount) {
      count += 1;
      listCount = Math.ceil(Math.max(0, count - 109) / (perSector - 1));
    }
    const places = Array.from({ length: count }, (_, index) => data + index);
    const lists = Array.from({ length: listCount }, (_, index) => data + count + index);
    const table = [...this.table, ...places.map(() => fatMark), ...lists.map(() => difatMark)];
    for (const [sector, value] of this.#options.patchTable ?? []) table[sector] = value >>> 0;
    const bytes = Buffer.alloc(count * this.sectorBytes, 0xff);
    table.forEach((value, index) => bytes.writeUInt32LE(value, index * 4));
    for (let index = 0; index < count; index += 1) this.sectors.push(bytes.subarray(index * this.sectorBytes, (index + 1) * this.sectorBytes));
    lists.forEach((_, index) => {
      const list = Buffer.alloc(this.sectorBytes, 0xff);
      places.slice(109 + index * (perSector - 1), 109 + (index + 1) * (perSector - 1)).forEach((place, at) => list.writeUInt32LE(place, at * 4));
      list.writeUInt32LE(lists[index + 1] ?? end, this.sectorBytes - 4);
      this.sectors.push(list);
    });
    return { places, lists };
  }
}

function padded(content: Buffer, to: number, fill: number): Buffer {
  return Buffer.concat([content, Buffer.alloc((to - (content.byteLength % to)) % to, fill)]);
}

export function buildOle(options: BuiltOle): Buffer {
  return new Builder(options).build();
}

const sector = 2048;

export interface IsoSpec {
  readonly name: string;
  /** Content of a file; equal texts stand at one place. */
  readonly data?: string;
  readonly children?: readonly IsoSpec[];
  /** System use area. */
  readonly use?: Buffer;
  readonly flags?: number;
  /** Block the record leads to; that of the data unless given. */
  readonly block?: number;
  readonly bytes?: number;
  /** The big-endian copy of the block number. */
  readonly bigBlock?: number;
  /** The directory's records stand in its sector, and no record leads to it. */
  readonly unlisted?: boolean;
  readonly interleave?: number;
  /** Called with the block the directory got. */
  readonly placed?: (block: number) => void;
}

export interface IsoOptions {
  readonly joliet?: readonly IsoSpec[];
  /** System use area of the root's own record. */
  readonly rootUse?: Buffer;
  readonly terminator?: boolean;
  readonly spaceBlocks?: number;
  readonly bigSpaceBlocks?: number;
  /** Changes path tables before they are written. */
  readonly bigTable?: (table: Buffer) => Buffer;
  readonly withoutTableRow?: string;
  readonly trailing?: Buffer;
  /** Bytes of the sector behind all others. */
  readonly unclaimed?: Buffer;
  readonly bootCatalog?: Buffer;
  /** Sectors behind the terminator. */
  readonly behindTerminator?: readonly Buffer[];
}

export function both32(value: number, big = value): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32LE(value, 0);
  bytes.writeUInt32BE(big, 4);
  return bytes;
}

function both16(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt16LE(value, 0);
  bytes.writeUInt16BE(value, 2);
  return bytes;
}

export function field(signature: string, body: Buffer | string, version = 1): Buffer {
  const bytes = Buffer.from(body);
  return Buffer.concat([Buffer.from(signature), Buffer.of(bytes.byteLength + 4, version), bytes]);
}

export const rockRidgeMark = field("SP", Buffer.of(0xbe, 0xef, 0));
export const rockName = (name: string, flags = 0): Buffer => field("NM", Buffer.concat([Buffer.of(flags), Buffer.from(name)]));
export const rockMode = (mode: number): Buffer => field("PX", Buffer.concat([both32(mode), both32(1), both32(0), both32(0)]));
export const continuation = (block: number, offset: number, length: number): Buffer => field("CE", Buffer.concat([both32(block), both32(offset), both32(length)]));

interface Placed {
  readonly spec: IsoSpec;
  readonly block: number;
  readonly bytes: number;
  readonly children: readonly Placed[];
}

/** An image of one or two name trees, whose directories take one sector each. */
export function buildIso(children: readonly IsoSpec[], options: IsoOptions = {}): Buffer {
  const sectors: (Buffer | undefined)[] = [];
  const contents = new Map<string, number>();
  const put = (bytes: Buffer, at = sectors.length): number => {
    for (let from = 0, block = at; from < Math.max(1, bytes.byteLength); from += sector, block += 1) sectors[block] = bytes.subarray(from, from + sector);
    return at;
  };
  put(Buffer.alloc(16 * sector));
  const trees = [{ children, joliet: false }, ...(options.joliet === undefined ? [] : [{ children: options.joliet, joliet: true }])];
  const extra = options.behindTerminator ?? [];
  const boot = options.bootCatalog === undefined ? 0 : 1;
  const descriptorsAt = sectors.length;
  put(Buffer.alloc((trees.length + boot + extra.length + 1) * sector));

  const place = (spec: IsoSpec): Placed => {
    if (spec.children !== undefined) {
      const block = put(Buffer.alloc(1));
      spec.placed?.(block);
      return { spec, block, bytes: sector, children: spec.children.map(place) };
    }
    const data = Buffer.from(spec.data ?? "");
    const known = contents.get(spec.data ?? "");
    const block = known ?? (data.byteLength === 0 ? 0 : put(data));
    contents.set(spec.data ?? "", block);
    return { spec, block, bytes: data.byteLength, children: [] };
  };
  const fill = (placed: Placed, parent: number, joliet: boolean, isRoot: boolean): void => {
    const own = record(Buffer.of(0), { block: placed.block, bytes: sector, flags: 2, use: isRoot ? (options.rootUse ?? Buffer.alloc(0)) : Buffer.alloc(0) });
    const up = record(Buffer.of(1), { block: parent, bytes: sector, flags: 2 });
    const rows = placed.children.filter(({ spec }) => spec.unlisted !== true).map((child) => {
      const { spec } = child;
      const flags = (spec.flags ?? 0) | (spec.children === undefined ? 0 : 2);
      const fields = { block: spec.block ?? child.block, bytes: spec.bytes ?? child.bytes, flags, use: spec.use ?? Buffer.alloc(0), interleave: spec.interleave ?? 0 };
      return record(encoded(spec.name, joliet), spec.bigBlock === undefined ? fields : { ...fields, bigBlock: spec.bigBlock });
    });
    put(Buffer.concat([own, up, ...rows]), placed.block);
    for (const child of placed.children) if (child.spec.children !== undefined) fill(child, placed.block, joliet, false);
  };

  const descriptors = trees.map((tree) => {
    const root = place({ name: "", children: tree.children });
    fill(root, root.block, tree.joliet, true);
    const little = pathTable(root, tree.joliet, true, options);
    const big = options.bigTable?.(pathTable(root, tree.joliet, false, options)) ?? pathTable(root, tree.joliet, false, options);
    return { root, tree, bytes: little.byteLength, little: put(little), big: put(big) };
  });
  const catalog = options.bootCatalog === undefined ? 0 : put(options.bootCatalog);
  if (options.unclaimed !== undefined) put(options.unclaimed);
  const space = options.spaceBlocks ?? sectors.length;
  const written = descriptors.map(({ root, tree, bytes, little, big }) => descriptor({ root: root.block, joliet: tree.joliet, tableBytes: bytes, little, big, space, bigSpace: options.bigSpaceBlocks ?? space }));
  const bootRecord = Buffer.alloc(sector);
  bootRecord.write("\0CD001\u0001EL TORITO SPECIFICATION", 0, "latin1");
  bootRecord.writeUInt32LE(catalog, 71);
  const end = Buffer.alloc(sector);
  if (options.terminator !== false) end.write("\u00ffCD001\u0001", 0, "latin1");
  for (const [index, bytes] of [...written, ...(boot === 0 ? [] : [bootRecord]), end, ...extra].entries()) put(bytes, descriptorsAt + index);
  const image = Buffer.concat(sectors.map((bytes) => Buffer.concat([bytes ?? Buffer.alloc(0), Buffer.alloc(sector - (bytes?.byteLength ?? 0))])));
  return Buffer.concat([image, options.trailing ?? Buffer.alloc(0)]);
}

function encoded(name: string, joliet: boolean): Buffer {
  return joliet ? Buffer.from(name, "utf16le").swap16() : Buffer.from(name, "latin1");
}

interface RecordFields {
  readonly block: number;
  readonly bytes: number;
  readonly flags: number;
  readonly use?: Buffer;
  readonly bigBlock?: number;
  readonly interleave?: number;
}

function record(identifier: Buffer, { block, bytes, flags, use = Buffer.alloc(0), bigBlock = block, interleave = 0 }: RecordFields): Buffer {
  const head = Buffer.concat([Buffer.alloc(2), both32(block, bigBlock), both32(bytes), Buffer.alloc(7), Buffer.of(flags, interleave, 0), both16(1), Buffer.of(identifier.byteLength), identifier]);
  const padded = head.byteLength % 2 === 0 ? head : Buffer.concat([head, Buffer.alloc(1)]);
  const whole = Buffer.concat([padded, use]);
  whole[0] = whole.byteLength;
  return whole;
}

function pathTable(root: Placed, joliet: boolean, little: boolean, options: IsoOptions): Buffer {
  const rows: Buffer[] = [];
  const queue: { readonly placed: Placed; readonly parent: number }[] = [{ placed: root, parent: 1 }];
  let number = 0;
  for (const { placed, parent } of queue) {
    if (options.withoutTableRow !== undefined && placed.spec.name === options.withoutTableRow) continue;
    number += 1;
    const name = number === 1 ? Buffer.of(0) : encoded(placed.spec.name, joliet);
    const head = Buffer.alloc(8);
    head[0] = name.byteLength;
    if (little) head.writeUInt32LE(placed.block, 2);
    else head.writeUInt32BE(placed.block, 2);
    if (little) head.writeUInt16LE(parent, 6);
    else head.writeUInt16BE(parent, 6);
    rows.push(head, name, Buffer.alloc(name.byteLength % 2));
    for (const child of placed.children) if (child.spec.children !== undefined) queue.push({ placed: child, parent: number });
  }
  return Buffer.concat(rows);
}

interface DescriptorFields {
  readonly root: number;
  readonly joliet: boolean;
  readonly tableBytes: number;
  readonly little: number;
  readonly big: number;
  readonly space: number;
  readonly bigSpace: number;
}

function descriptor({ root, joliet, tableBytes, little, big, space, bigSpace }: DescriptorFields): Buffer {
  const bytes = Buffer.alloc(sector);
  bytes.write(joliet ? "\u0002CD001\u0001" : "\u0001CD001\u0001", 0, "latin1");
  both32(space, bigSpace).copy(bytes, 80);
  if (joliet) bytes.write("%/E", 88, "latin1");
  both16(1).copy(bytes, 120);
  both16(1).copy(bytes, 124);
  both16(sector).copy(bytes, 128);
  both32(tableBytes).copy(bytes, 132);
  bytes.writeUInt32LE(little, 140);
  bytes.writeUInt32BE(big, 148);
  record(Buffer.of(0), { block: root, bytes: sector, flags: 2 }).copy(bytes, 156);
  return bytes;
}

export type CpioKind = "newc" | "crc" | "odc" | "binary-little" | "binary-big";

/** One member header of any of the five layouts (cpio(5)). */
export interface CpioHeader {
  readonly kind: CpioKind;
  readonly headerBytes: number;
  /** Device and inode, which say which members are one file. */
  readonly identity: string;
  readonly mode: number;
  readonly links: number;
  readonly size: number;
  /** The NUL at the end included. */
  readonly nameBytes: number;
  /** Sum of all content bytes; "crc" only. */
  readonly sum: number;
  /** Name and data are filled up to a multiple of this, counted from the header's start. */
  readonly alignment: number;
}

export const longestHeader = 110;
const longestName = 65_536;

/** Which layout starts here. */
export function cpioKind(bytes: Uint8Array): CpioKind | undefined {
  const magic = Buffer.from(bytes.subarray(0, 6)).toString("latin1");
  if (magic === "070701") return "newc";
  if (magic === "070702") return "crc";
  if (magic === "070707") return "odc";
  if (bytes[0] === 0xc7 && bytes[1] === 0x71) return "binary-little";
  return bytes[0] === 0x71 && bytes[1] === 0xc7 ? "binary-big" : undefined;
}

/** Reads a header; undefined when it is cut short, a field is no number, or the name is empty or beyond 64 KiB. */
export function parseCpioHeader(bytes: Uint8Array): CpioHeader | undefined {
  const header = headerOf(bytes);
  return header !== undefined && header.nameBytes > 0 && header.nameBytes <= longestName ? header : undefined;
}

function headerOf(bytes: Uint8Array): CpioHeader | undefined {
  const kind = cpioKind(bytes);
  if (kind === undefined) return undefined;
  if (kind === "newc" || kind === "crc") return hexHeader(bytes, kind);
  return kind === "odc" ? octalHeader(bytes) : binaryHeader(bytes, kind);
}

function hexHeader(bytes: Uint8Array, kind: "newc" | "crc"): CpioHeader | undefined {
  const text = Buffer.from(bytes.subarray(6, 110)).toString("latin1");
  if (!/^[0-9a-fA-F]{104}$/.test(text)) return undefined;
  const field = (index: number): number => Number.parseInt(text.slice(index * 8, index * 8 + 8), 16);
  return {
    kind,
    headerBytes: 110,
    identity: `${String(field(7))}:${String(field(8))}:${String(field(0))}`,
    mode: field(1),
    links: field(4),
    size: field(6),
    nameBytes: field(11),
    sum: field(12),
    alignment: 4,
  };
}

function octalHeader(bytes: Uint8Array): CpioHeader | undefined {
  const text = Buffer.from(bytes.subarray(0, 76)).toString("latin1");
  if (!/^[0-7]{76}$/.test(text)) return undefined;
  const field = (offset: number, length = 6): number => Number.parseInt(text.slice(offset, offset + length), 8);
  return {
    kind: "odc",
    headerBytes: 76,
    identity: `${String(field(6))}:${String(field(12))}`,
    mode: field(18),
    links: field(36),
    size: field(65, 11),
    nameBytes: field(59),
    sum: 0,
    alignment: 1,
  };
}

/** Words of 16 bits in the writer's order; longer numbers have their upper word first. */
function binaryHeader(bytes: Uint8Array, kind: "binary-little" | "binary-big"): CpioHeader | undefined {
  if (bytes.byteLength < 26) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const word = (index: number): number => view.getUint16(index * 2, kind === "binary-little");
  return {
    kind,
    headerBytes: 26,
    identity: `${String(word(1))}:${String(word(2))}`,
    mode: word(3),
    links: word(6),
    size: word(11) * 65_536 + word(12),
    nameBytes: word(10),
    sum: 0,
    alignment: 2,
  };
}

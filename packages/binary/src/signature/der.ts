import { ReaError } from "@rea/core";

/** One element of a BER or DER encoding (X.690), with the bytes it stands in. */
export interface DerNode {
  /** The identifier octet: class, constructed bit and number. Numbers above 30 are not read. */
  readonly tag: number;
  /** Bytes from the start of the encoding. */
  readonly offset: number;
  /** Identifier, length and content. */
  readonly whole: Uint8Array;
  /** Content alone, without an end marker. */
  readonly content: Uint8Array;
}

export const tags = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  utf8: 0x0c,
  printable: 0x13,
  ia5: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  bmp: 0x1e,
  sequence: 0x30,
  set: 0x31,
} as const;

const deepest = 32;
const mostChildren = 10_000;

/**
 * Reads the element at an offset. Indefinite lengths are read, because Apple's signatures use them. Throws
 * `artifact_operation_failed` (reason `format`) where the encoding leaves its data.
 */
export function readDer(bytes: Uint8Array, at = 0): DerNode {
  return element(bytes, at, 0);
}

/** The elements inside a constructed one. Throws as `readDer`. */
export function derChildren(node: DerNode): readonly DerNode[] {
  const nodes: DerNode[] = [];
  for (let at = 0; at < node.content.byteLength; ) {
    if (nodes.length >= mostChildren) throw damaged(node.offset);
    const child = element(node.content, at, 0);
    nodes.push(child);
    at += child.whole.byteLength;
  }
  return nodes;
}

function element(bytes: Uint8Array, at: number, depth: number): DerNode {
  if (depth > deepest) throw damaged(at);
  const tag = byteAt(bytes, at);
  if ((tag & 0x1f) === 0x1f) throw damaged(at);
  const first = byteAt(bytes, at + 1);
  if (first === 0x80) return indefinite(bytes, { tag, at, depth });
  const { length, start } = definite(bytes, at + 1, first);
  if (start + length > bytes.byteLength) throw damaged(at);
  return { tag, offset: at, whole: bytes.subarray(at, start + length), content: bytes.subarray(start, start + length) };
}

function definite(bytes: Uint8Array, at: number, first: number): { readonly length: number; readonly start: number } {
  if (first < 0x80) return { length: first, start: at + 1 };
  const count = first & 0x7f;
  if (count > 6) throw damaged(at);
  let length = 0;
  for (let index = 0; index < count; index += 1) length = length * 256 + byteAt(bytes, at + 1 + index);
  return { length, start: at + 1 + count };
}

function indefinite(bytes: Uint8Array, { tag, at, depth }: { readonly tag: number; readonly at: number; readonly depth: number }): DerNode {
  let next = at + 2;
  while (byteAt(bytes, next) !== 0 || byteAt(bytes, next + 1) !== 0) next += element(bytes, next, depth + 1).whole.byteLength;
  return { tag, offset: at, whole: bytes.subarray(at, next + 2), content: bytes.subarray(at + 2, next) };
}

function byteAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw damaged(at);
  return byte;
}

/** The child at a position, of the wanted kind. Throws as `readDer` when it is another or missing. */
export function derChild(nodes: readonly DerNode[], index: number, tag: number): DerNode {
  const node = nodes[index];
  if (node?.tag !== tag) throw damaged(node?.offset ?? 0);
  return node;
}

/** Content of an octet string, also of one in pieces. */
export function octetsOf(node: DerNode): Uint8Array {
  if ((node.tag & 0x20) === 0) return node.content;
  return Buffer.concat(derChildren(node).map((part) => part.content));
}

/** An object identifier in dotted form; "" when it is malformed. */
export function oidOf(node: DerNode): string {
  const parts: bigint[] = [];
  let value = 0n;
  for (const byte of node.content.subarray(0, 64)) {
    value = (value << 7n) | BigInt(byte & 0x7f);
    if ((byte & 0x80) !== 0) continue;
    parts.push(value);
    value = 0n;
  }
  const [first, ...rest] = parts;
  if (node.tag !== tags.oid || first === undefined) return "";
  const top = first < 80n ? first / 40n : 2n;
  return [top, first - top * 40n, ...rest].map(String).join(".");
}

/** Hexadecimal digits of an integer without its sign byte. */
export function integerHex(node: DerNode): string {
  const hex = Buffer.from(node.content).toString("hex").replace(/^(?:00)+(?=..)/u, "");
  return hex === "" ? "00" : hex;
}

/** Text of any of the string kinds. */
export function derText(node: DerNode): string {
  if ((node.tag & 0x1f) === tags.bmp) return Buffer.from(node.content.subarray(0, node.content.byteLength & ~1)).swap16().toString("utf16le");
  return Buffer.from(node.content).toString("utf8");
}

/** A time in ISO 8601 (UTC); undefined when it is none. */
export function derTime({ tag, content }: DerNode): string | undefined {
  const text = Buffer.from(content).toString("latin1");
  const parts = (tag === tags.utcTime ? /^()(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?Z$/ : /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?(?:\.\d+)?Z$/).exec(text);
  if (parts === null) return undefined;
  const [, century, year = "0", month = "0", day = "0", hour = "0", minute = "0", second = "0"] = parts;
  // RFC 5280: two-digit years from 50 on belong to the last century.
  const prefix = century === "" ? (Number(year) >= 50 ? "19" : "20") : (century ?? "20");
  const time = Date.parse(`${prefix}${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

function damaged(offset: number): ReaError {
  return new ReaError("artifact_operation_failed", {
    message: "A structure of a signature reaches past the end of its data.",
    details: { operation: "read_signature", reason: "format", offset },
  });
}

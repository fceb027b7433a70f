import { deflateSync } from "node:zlib";
import { buildLzfse } from "../codecs/build-lzfse.js";
import { buildLzvn } from "../codecs/build-lzvn.js";

/** A compressed file as the file system keeps it. */
export interface CompressedFile {
  readonly attribute: Buffer;
  readonly fork: Buffer | undefined;
}

const blockBytes = 65_536;
type Method = (plain: Uint8Array) => Buffer;

const methods: { readonly [type: number]: Method | undefined } = { 3: zlib, 4: zlib, 7: lzvn, 8: lzvn, 11: lzfse, 12: lzfse };

/** The attribute, and for even types the resource fork with blocks of 64 KiB. */
export function buildDecmpfs(type: number, plain: Uint8Array, { size = plain.byteLength } = {}): CompressedFile {
  const header = Buffer.alloc(16);
  header.write("fpmc");
  header.writeUInt32LE(type, 4);
  header.writeBigUInt64LE(BigInt(size), 8);
  const method = methods[type] ?? ((bytes: Uint8Array) => Buffer.from(bytes));
  if (type % 2 === 1 || methods[type] === undefined) return { attribute: Buffer.concat([header, method(plain)]), fork: undefined };
  const blocks: Buffer[] = [];
  for (let at = 0; at < plain.byteLength; at += blockBytes) blocks.push(method(plain.subarray(at, at + blockBytes)));
  return { attribute: header, fork: type === 4 ? resources(blocks) : offsets(blocks) };
}

function zlib(plain: Uint8Array): Buffer {
  const small = deflateSync(plain);
  return small.byteLength < plain.byteLength ? small : Buffer.concat([Buffer.from([0xff]), plain]);
}

function lzvn(plain: Uint8Array): Buffer {
  const small = buildLzvn(plain);
  return small.byteLength < plain.byteLength ? small : Buffer.concat([Buffer.from([0x06]), plain]);
}

function lzfse(plain: Uint8Array): Buffer {
  return buildLzfse(plain);
}

/** A resource fork with the one resource that holds all blocks, and the map that names it. */
function resources(blocks: readonly Buffer[]): Buffer {
  const table = Buffer.alloc(4 + blocks.length * 8);
  table.writeUInt32LE(blocks.length);
  let at = table.byteLength;
  blocks.forEach(({ byteLength }, index) => {
    table.writeUInt32LE(at, 4 + index * 8);
    table.writeUInt32LE(byteLength, 8 + index * 8);
    at += byteLength;
  });
  const data = Buffer.concat([table, ...blocks]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.byteLength);
  const header = Buffer.alloc(256);
  [256, 256 + 4 + data.byteLength, 4 + data.byteLength, 50].forEach((value, index) => header.writeUInt32BE(value, index * 4));
  const map = Buffer.alloc(50);
  [28, 50, 0].forEach((value, index) => map.writeUInt16BE(value, 24 + index * 2));
  map.write("cmpf", 30, "latin1");
  [0, 10, 1, 0xffff].forEach((value, index) => map.writeUInt16BE(value, 34 + index * 2));
  return Buffer.concat([header, length, data, map]);
}

function offsets(blocks: readonly Buffer[]): Buffer {
  const table = Buffer.alloc(4 * (blocks.length + 1));
  let at = table.byteLength;
  table.writeUInt32LE(at);
  blocks.forEach(({ byteLength }, index) => {
    at += byteLength;
    table.writeUInt32LE(at, 4 * (index + 1));
  });
  return Buffer.concat([table, ...blocks]);
}

import { brokenData } from "../../codecs/broken-data.js";
import { size64 } from "../../reading/piece-window.js";
import type { MetadataCursor, MetadataPlace } from "./metadata.js";

const noFragment = 0xffff_ffff;
const longestLink = 65_535;

/** Where the data of a file stands. */
export interface FileData {
  readonly kind: "file";
  /** First data block, bytes from the image's start. */
  readonly start: number;
  readonly bytes: number;
  readonly fragment: { readonly index: number; readonly offset: number } | undefined;
  /** The list of block sizes, in the inode table. */
  readonly sizes: MetadataPlace;
}

export interface DirectoryData {
  readonly kind: "directory";
  /** Bytes from the start of the directory table to the block of the listing. */
  readonly block: number;
  readonly offset: number;
  /** Bytes of the listing. */
  readonly bytes: number;
}

export type InodeData =
  | FileData
  | DirectoryData
  | { readonly kind: "symlink"; readonly target: Uint8Array }
  | { readonly kind: "special" };

export interface Inode {
  /** As the type is written in a directory, from 1 to 7. */
  readonly type: number;
  readonly mode: number;
  /** Positions in the table of ids. */
  readonly owner: number;
  readonly group: number;
  readonly number: number;
  readonly links: number;
  readonly data: InodeData;
}

/** Reads the inode a cursor stands before; throws `artifact_operation_failed` when it is damaged. */
export async function readInode(cursor: MetadataCursor): Promise<Inode> {
  const header = await cursor.read(16);
  const type = header.readUInt16LE(0);
  const { links, data } = await body(cursor, type);
  return {
    type: type > 7 ? type - 7 : type,
    mode: header.readUInt16LE(2),
    owner: header.readUInt16LE(4),
    group: header.readUInt16LE(6),
    number: header.readUInt32LE(12),
    links,
    data,
  };
}

type Body = Pick<Inode, "links" | "data">;

function body(cursor: MetadataCursor, type: number): Promise<Body> {
  switch (type) {
    case 1:
      return plainDirectory(cursor);
    case 2:
      return plainFile(cursor);
    case 8:
      return largeDirectory(cursor);
    case 9:
      return largeFile(cursor);
    case 3:
    case 10:
      return symlink(cursor);
    default:
      return special(cursor, type);
  }
}

async function plainDirectory(cursor: MetadataCursor): Promise<Body> {
  const bytes = await cursor.read(16);
  return { links: bytes.readUInt32LE(4), data: directory(bytes.readUInt32LE(0), bytes.readUInt16LE(10), bytes.readUInt16LE(8)) };
}

async function largeDirectory(cursor: MetadataCursor): Promise<Body> {
  const bytes = await cursor.read(24);
  return { links: bytes.readUInt32LE(0), data: directory(bytes.readUInt32LE(8), bytes.readUInt16LE(18), bytes.readUInt32LE(4)) };
}

/** The declared size counts three bytes for the entries `.` and `..`, which are not stored. */
function directory(block: number, offset: number, declared: number): DirectoryData {
  return { kind: "directory", block, offset, bytes: Math.max(0, declared - 3) };
}

async function plainFile(cursor: MetadataCursor): Promise<Body> {
  const bytes = await cursor.read(16);
  return { links: 1, data: file(cursor, { start: bytes.readUInt32LE(0), bytes: bytes.readUInt32LE(12), index: bytes.readUInt32LE(4), offset: bytes.readUInt32LE(8) }) };
}

async function largeFile(cursor: MetadataCursor): Promise<Body> {
  const bytes = await cursor.read(40);
  const data = file(cursor, { start: size64(bytes, 0), bytes: size64(bytes, 8), index: bytes.readUInt32LE(28), offset: bytes.readUInt32LE(32) });
  return { links: bytes.readUInt32LE(24), data };
}

function file(cursor: MetadataCursor, { start, bytes, index, offset }: { start: number; bytes: number; index: number; offset: number }): FileData {
  if (!Number.isFinite(bytes)) throw brokenData("A file's size is beyond 2^53, which no image reaches.");
  return { kind: "file", start, bytes, fragment: index === noFragment ? undefined : { index, offset }, sizes: cursor.place };
}

async function symlink(cursor: MetadataCursor): Promise<Body> {
  const bytes = await cursor.read(8);
  const length = bytes.readUInt32LE(4);
  if (length > longestLink) throw brokenData("A symbolic link's target is longer than any system takes.");
  return { links: bytes.readUInt32LE(0), data: { kind: "symlink", target: Uint8Array.from(await cursor.read(length)) } };
}

/** Devices, pipes and sockets, whose numbers do not matter here. */
async function special(cursor: MetadataCursor, type: number): Promise<Body> {
  if (type === 0 || type > 14) throw brokenData("An inode is of a type that the format does not know.");
  return { links: (await cursor.read(4)).readUInt32LE(0), data: { kind: "special" } };
}

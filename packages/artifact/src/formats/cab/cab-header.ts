import type { PieceWindow } from "../../reading/piece-window.js";

/** Header flags (CFHEADER of the cabinet SDK). */
const hasPrevious = 1;
const hasNext = 2;
const hasReserve = 4;
const headerBytes = 36;
const longestText = 255;

/** The companions a cabinet of a set names. */
export interface Companion {
  readonly cabinet: Uint8Array;
  readonly disk: Uint8Array;
}

export interface CabHeader {
  /** Where the cabinet starts: 0 unless something stands before it. */
  readonly offset: number;
  readonly cabinetBytes: number;
  readonly filesOffset: number;
  readonly major: number;
  readonly minor: number;
  readonly folderCount: number;
  readonly fileCount: number;
  /** Number of this cabinet in its set. */
  readonly setIndex: number;
  readonly reserve: { readonly offset: number; readonly length: number } | undefined;
  readonly folderReserve: number;
  readonly dataReserve: number;
  readonly previous: Companion | undefined;
  readonly next: Companion | undefined;
  /** Where the folders' records start. */
  readonly foldersOffset: number;
}

export interface FolderRecord {
  readonly index: number;
  readonly dataOffset: number;
  readonly blockCount: number;
  /** Method in the lowest four bits, its parameters above. */
  readonly method: number;
}

export interface FileRecord {
  /** Where the record stands, from the cabinet's start, and where it ends. */
  readonly offset: number;
  readonly end: number;
  readonly bytes: number;
  readonly folderOffset: number;
  readonly folder: number;
  readonly attributes: number;
  readonly name: Uint8Array;
}

/** Reads the cabinet's header; undefined when it is cut short. */
export function readHeader(window: PieceWindow, offset: number): CabHeader | undefined {
  if (!window.holds(offset, headerBytes)) return undefined;
  const bytes = window.bytes(offset, headerBytes);
  const flags = bytes.readUInt16LE(30);
  const cursor = { at: offset + headerBytes };
  const sizes = (flags & hasReserve) === 0 ? { header: 0, folder: 0, data: 0 } : reserveSizes(window, cursor);
  if (sizes === undefined) return undefined;
  const reserve = sizes.header === 0 ? undefined : { offset: cursor.at, length: sizes.header };
  cursor.at += sizes.header;
  const previous = (flags & hasPrevious) === 0 ? undefined : companion(window, cursor);
  const next = (flags & hasNext) === 0 ? undefined : companion(window, cursor);
  return {
    offset,
    cabinetBytes: bytes.readUInt32LE(8),
    filesOffset: bytes.readUInt32LE(16),
    minor: bytes.readUInt8(24),
    major: bytes.readUInt8(25),
    folderCount: bytes.readUInt16LE(26),
    fileCount: bytes.readUInt16LE(28),
    setIndex: bytes.readUInt16LE(34),
    reserve,
    folderReserve: sizes.folder,
    dataReserve: sizes.data,
    previous,
    next,
    foldersOffset: cursor.at,
  };
}

function reserveSizes(window: PieceWindow, cursor: { at: number }): { readonly header: number; readonly folder: number; readonly data: number } | undefined {
  if (!window.holds(cursor.at, 4)) return undefined;
  const bytes = window.bytes(cursor.at, 4);
  cursor.at += 4;
  return { header: bytes.readUInt16LE(0), folder: bytes.readUInt8(2), data: bytes.readUInt8(3) };
}

function companion(window: PieceWindow, cursor: { at: number }): Companion {
  return { cabinet: text(window, cursor), disk: text(window, cursor) };
}

/** Bytes up to a NUL, which is passed over. */
function text(window: PieceWindow, cursor: { at: number }): Uint8Array {
  const length = Math.min(longestText + 1, Math.max(0, window.size - cursor.at));
  const bytes = length === 0 ? Buffer.alloc(0) : window.bytes(cursor.at, length);
  const end = bytes.indexOf(0);
  const found = Buffer.from(bytes.subarray(0, end < 0 ? length : end));
  cursor.at += found.byteLength + 1;
  return found;
}

/** The records of folders, as many as lie in the file. */
export function readFolders(window: PieceWindow, header: CabHeader): readonly FolderRecord[] {
  const folders: FolderRecord[] = [];
  const length = 8 + header.folderReserve;
  for (let index = 0; index < header.folderCount; index += 1) {
    const at = header.foldersOffset + index * length;
    if (!window.holds(at, length)) break;
    const bytes = window.bytes(at, length);
    folders.push({ index, dataOffset: bytes.readUInt32LE(0), blockCount: bytes.readUInt16LE(4), method: bytes.readUInt16LE(6) });
  }
  return folders;
}

/** The records of files, as many as lie in the file. */
export function* readFiles(window: PieceWindow, header: CabHeader): Generator<FileRecord, void, undefined> {
  const cursor = { at: header.offset + header.filesOffset };
  for (let index = 0; index < header.fileCount; index += 1) {
    const start = cursor.at;
    if (!window.holds(start, 17)) return;
    const bytes = window.bytes(start, 16);
    const [size, folderOffset, folder, attributes] = [bytes.readUInt32LE(0), bytes.readUInt32LE(4), bytes.readUInt16LE(8), bytes.readUInt16LE(14)];
    cursor.at += 16;
    const name = text(window, cursor);
    if (cursor.at > window.size) return;
    yield { offset: start, end: cursor.at, bytes: size, folderOffset, folder, attributes, name };
  }
}

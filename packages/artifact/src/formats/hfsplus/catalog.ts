import type { TreeRecord } from "./b-tree.js";
import { forkData, type ForkData } from "./volume-header.js";

export const rootFolderId = 2;

/** What a record of the catalog says; threads only lead back to these. */
export type CatalogItem = CatalogFolder | CatalogFile;

interface Named {
  readonly parentId: number;
  /** UTF-16 as it stands in the key, decomposed. */
  readonly name: string;
  readonly id: number;
}

export interface CatalogFolder extends Named {
  readonly kind: "folder";
}

export interface CatalogFile extends Named {
  readonly kind: "file";
  readonly mode: number;
  /** The inode of a hard link. */
  readonly linkedInode: number | undefined;
  /** The folder of a hard link to a folder. */
  readonly linkedFolder: number | undefined;
  readonly isCompressed: boolean;
  readonly data: ForkData;
  readonly resource: ForkData;
}

const folderBytes = 88;
const fileBytes = 248;
/** Owner flag of files whose content is compressed (sys/stat.h, UF_COMPRESSED). */
const compressedFlag = 0x20;

/** Reads a record; undefined for threads and for records that are too short. */
export function catalogItem({ key, data }: TreeRecord): CatalogItem | undefined {
  if (key.byteLength < 6 || data.byteLength < 2) return undefined;
  const nameEnd = 6 + key.readUInt16BE(4) * 2;
  if (nameEnd > key.byteLength) return undefined;
  const named = { parentId: key.readUInt32BE(0), name: utf16(key.subarray(6, nameEnd)) };
  switch (data.readInt16BE(0)) {
    case 1:
      return data.byteLength < folderBytes ? undefined : { kind: "folder", ...named, id: data.readUInt32BE(8) };
    case 2:
      return data.byteLength < fileBytes ? undefined : { kind: "file", ...named, ...fileFields(data) };
    default:
      return undefined;
  }
}

function fileFields(data: Buffer): Omit<CatalogFile, "kind" | "parentId" | "name"> {
  const type = data.toString("latin1", 48, 56);
  const special = data.readUInt32BE(44);
  return {
    id: data.readUInt32BE(8),
    mode: data.readUInt16BE(42),
    linkedInode: type === "hlnkhfs+" ? special : undefined,
    linkedFolder: type === "fdrpMACS" ? special : undefined,
    isCompressed: (data.readUInt8(41) & compressedFlag) !== 0,
    data: forkData(data, 88),
    resource: forkData(data, 168),
  };
}

function utf16(bytes: Buffer): string {
  const swapped = Buffer.from(bytes);
  return swapped.swap16().toString("utf16le");
}

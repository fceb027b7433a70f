import { brokenData } from "../../codecs/broken-data.js";
import type { MetadataCursor } from "./metadata.js";

const headerBytes = 12;
const entryBytes = 8;
const mostInARun = 256;

/** One name of a directory. */
export interface DirectoryEntry {
  readonly name: Uint8Array;
  /** As in the inode, from 1 to 7. */
  readonly type: number;
  /** The inode's block, from the start of the inode table, and its bytes into the plain block. */
  readonly block: number;
  readonly offset: number;
  /** The inode's number as the directory has it. */
  readonly number: number;
}

/** The names of a directory in their order; throws `artifact_operation_failed` where the listing breaks off. */
export async function* listedNames(cursor: MetadataCursor, bytes: number): AsyncGenerator<DirectoryEntry, void, undefined> {
  for (let left = bytes; left > 0; ) {
    if (left < headerBytes) throw brokenData("A directory ends inside a header.");
    const header = await cursor.read(headerBytes);
    left -= headerBytes;
    const count = header.readUInt32LE(0) + 1;
    if (count > mostInARun) throw brokenData("A directory header declares more entries than one may have.");
    for (let index = 0; index < count; index += 1) {
      if (left < entryBytes + 1) throw brokenData("A directory ends before its entries do.");
      const entry = await cursor.read(entryBytes);
      const length = entry.readUInt16LE(6) + 1;
      left -= entryBytes + length;
      if (left < 0) throw brokenData("A name reaches past the end of its directory.");
      yield {
        name: Uint8Array.from(await cursor.read(length)),
        type: entry.readUInt16LE(4),
        block: header.readUInt32LE(4),
        offset: entry.readUInt16LE(0),
        number: header.readUInt32LE(8) + entry.readInt16LE(2),
      };
    }
  }
}

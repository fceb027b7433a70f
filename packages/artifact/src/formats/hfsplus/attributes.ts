import type { ByteSource } from "@rea/core";
import { brokenData } from "../../codecs/broken-data.js";
import { bufferOf } from "../../reading/piece-window.js";
import { decmpfsName, decmpfsOf, type Decmpfs } from "../decmpfs/decmpfs.js";
import type { BTree } from "./b-tree.js";

const mostFiles = 2_000_000;
const inlineRecord = 0x10;
const inlineHeaderBytes = 16;
const extentsRecord = 0x30;

/** Extended attributes of files: that of compression by its place, the others by their number. */
export class Attributes {
  readonly #compression = new Map<number, { readonly offset: number; readonly length: number } | undefined>();
  readonly #others = new Map<number, number>();
  #file: ByteSource | undefined;

  /** Takes the attributes tree, which lies in `file`; throws where it breaks. */
  read(tree: BTree, file: ByteSource, signal: AbortSignal): void {
    this.#file = file;
    for (const { key, data, dataOffset } of tree.records(signal)) {
      if (key.byteLength < 12 || data.byteLength < 4) continue;
      const fileId = key.readUInt32BE(2);
      const name = bufferOf(key.subarray(12, 12 + key.readUInt16BE(10) * 2));
      const kind = data.readUInt32BE(0);
      if (this.#compression.size + this.#others.size >= mostFiles) throw brokenData(`More than ${String(mostFiles)} files have attributes.`);
      if (kind === extentsRecord) continue;
      if (asciiOf(name) !== decmpfsName) this.#others.set(fileId, (this.#others.get(fileId) ?? 0) + 1);
      else this.#compression.set(fileId, kind === inlineRecord ? inlineRange(data, dataOffset) : undefined);
    }
  }

  /** Undefined when the file has no such attribute, or one that cannot be read. */
  compressionOf(fileId: number): Decmpfs | undefined {
    const range = this.#compression.get(fileId);
    return range === undefined || this.#file === undefined ? undefined : decmpfsOf(this.#file.read(range.offset, range.length));
  }

  /** How many attributes of a file are not read. */
  othersOf(fileId: number): number {
    return this.#others.get(fileId) ?? 0;
  }
}

function inlineRange(data: Buffer, dataOffset: number): { readonly offset: number; readonly length: number } | undefined {
  if (data.byteLength < inlineHeaderBytes) return undefined;
  const length = data.readUInt32BE(12);
  return inlineHeaderBytes + length <= data.byteLength ? { offset: dataOffset + inlineHeaderBytes, length } : undefined;
}

/** UTF-16 names of attributes are ASCII as a rule; others become something that is no name of ours. */
function asciiOf(name: Buffer): string {
  let text = "";
  for (let at = 0; at + 2 <= name.byteLength; at += 2) text += String.fromCharCode(name.readUInt16BE(at));
  return text;
}

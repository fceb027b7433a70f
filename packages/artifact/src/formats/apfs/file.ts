import type { ByteSource } from "@rea/core";
import { brokenData } from "../../codecs/broken-data.js";
import { runSource, type Run } from "../../reading/run-source.js";
import type { Blocks } from "./blocks.js";
import { recordTypes, type FileTree } from "./file-tree.js";
import { attributeOf, extentOf, inodeOf, type Attribute, type FileExtent, type Inode } from "./records.js";

/** A content's place on the disk, or why it has none. */
export type OpenedStream = { readonly source: ByteSource; readonly stored: readonly FileExtent[] } | { readonly problem: string };

const mostRecords = 1_000_000;

/** What the records of one id say together. */
export interface ApfsFile {
  readonly id: number;
  readonly inode: Inode;
  readonly attributes: readonly Attribute[];
  readonly extents: readonly FileExtent[];
}

/** Gathers a file's records; undefined when the tree has no inode of that id. */
export function apfsFile(tree: FileTree, id: number): ApfsFile | undefined {
  let inode: Inode | undefined;
  const attributes: Attribute[] = [];
  const extents: FileExtent[] = [];
  for (const { type, key, value } of tree.recordsOf(id)) {
    if (type === recordTypes.inode) inode = inodeOf(value);
    else if (type === recordTypes.attribute) attributes.push(attributeOf(key, value));
    else if (type === recordTypes.extent) extents.push(extentOf(key, value));
    else if (type > recordTypes.extent) break;
    if (attributes.length + extents.length > mostRecords) throw brokenData("A file of an APFS volume has more records than are read.");
  }
  return inode === undefined ? undefined : { id, inode, attributes, extents };
}

/** Opens a file's own content. */
export function openContent(tree: FileTree, blocks: Blocks, { id, inode, extents }: ApfsFile): OpenedStream {
  const own = inode.privateId === id ? extents : extentsOf(tree, inode.privateId);
  return streamOf(blocks, own, inode.size ?? 0);
}

/** Opens the stream that holds an attribute. */
export function openStream(tree: FileTree, blocks: Blocks, { id, size }: { readonly id: number; readonly size: number }): OpenedStream {
  return streamOf(blocks, extentsOf(tree, id), size);
}

function extentsOf(tree: FileTree, id: number): readonly FileExtent[] {
  const extents: FileExtent[] = [];
  for (const { type, key, value } of tree.recordsOf(id)) {
    if (type === recordTypes.extent) extents.push(extentOf(key, value));
    if (extents.length > mostRecords) throw brokenData("A file of an APFS volume has more records than are read.");
  }
  return extents;
}

function streamOf({ source, blockBytes }: Blocks, extents: readonly FileExtent[], size: number): OpenedStream {
  const runs: Run[] = [];
  let end = 0;
  for (const { start, bytes, block } of extents) {
    if (start < end) return { problem: "Two extents of the file have the same bytes." };
    if (start > end) runs.push({ length: start - end, from: undefined });
    if (block !== 0 && block * blockBytes + bytes > source.size) return { problem: "The file lies outside the container." };
    runs.push({ length: bytes, from: block === 0 ? undefined : block * blockBytes });
    end = start + bytes;
  }
  // What no extent covers at the end would be a hole that nothing declares.
  if (end < size) return { problem: "The extents of the file are fewer than its size needs." };
  return { source: runSource(source, runs, size), stored: extents.filter(({ block }) => block !== 0) };
}

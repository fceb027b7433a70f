import { sourceSlice, type ByteSource } from "@rea/core";
import type { Entry, EntryContent, Unavailable } from "../../format.js";
import { sourceStream } from "../../reading/source-stream.js";
import { recordFlags } from "./directory-record.js";
import { extentSource } from "./extent-source.js";
import type { IsoNode } from "./iso-tree.js";
import { zisofsContent } from "./zisofs.js";

/** The entry of a name; `limitations` says what is special about it beside what its record says. */
export function isoEntry(node: IsoNode, source: ByteSource, more: { readonly signal: AbortSignal; readonly limitations?: readonly string[] }): Entry {
  const isFile = node.kind === "file";
  const plainBytes = node.rock.compressed?.bytes ?? node.bytes;
  return {
    name: node.name,
    kind: node.kind,
    declaredBytes: isFile ? plainBytes : null,
    compressedBytes: isFile ? node.bytes : null,
    location: isFile && node.extents.length === 1 ? locationOf(node) : null,
    encrypted: false,
    linkTarget: node.rock.target ?? null,
    executable: isFile && node.rock.mode !== undefined ? (node.rock.mode & 0o111) !== 0 : null,
    checks: isFile ? [{ kind: "size", bytes: plainBytes }] : [],
    limitations: [...marks(node), ...(more.limitations ?? [])],
    content: isFile ? contentOf(node, source, more.signal) : null,
  };
}

function locationOf({ extents }: IsoNode): Entry["location"] {
  const [extent] = extents;
  return extent === undefined ? null : { offset: extent.start, length: extent.length };
}

function marks({ record, extents }: IsoNode): readonly string[] {
  return [
    ...((record.flags & recordFlags.hidden) === 0 ? [] : ["The member is marked hidden."]),
    ...((record.flags & recordFlags.associated) === 0 ? [] : ["The member is an associated file, such as a resource fork."]),
    ...(extents.length > 1 ? [`The file stands in ${String(extents.length)} extents.`] : []),
  ];
}

function contentOf({ record, extents, rock }: IsoNode, source: ByteSource, signal: AbortSignal): EntryContent | Unavailable {
  if (record.interleaved) return { reason: "unsupported_method", why: "The file's data is interleaved with that of others." };
  if (rock.sparse) return { reason: "unsupported_method", why: "The file is stored as a sparse one." };
  if (rock.compressed !== undefined && rock.compressed.algorithm !== "pz") return { reason: "unsupported_method", why: "The file is compressed by a method that is not known." };
  const stored = extents.filter(({ length }) => length > 0);
  if (stored.some(({ start, length }) => start + length > source.size)) return { reason: "malformed", why: "The file's data reaches past the end of the image." };
  const whole = extentSource(source, stored);
  if (rock.compressed !== undefined) {
    const used = { bytes: 0 };
    return { stream: () => zisofsContent(whole, signal, used), inputBytes: () => used.bytes };
  }
  const [only] = stored;
  const plain = only === undefined || stored.length > 1 ? whole : sourceSlice(source, only.start, only.length);
  return {
    stream: () => sourceStream(plain),
    random: () => ({ size: plain.size, read: (offset, length) => plain.read(offset, length), close: () => undefined }),
  };
}

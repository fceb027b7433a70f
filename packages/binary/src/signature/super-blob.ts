import { ByteReader, type ByteSource } from "@rea/core";
import type { Findings } from "../findings.js";

/** One part of an embedded signature (`cs_blobs.h`), offsets counted from the signature's start. */
export interface SignatureBlob {
  readonly slot: number;
  readonly magic: number;
  readonly offset: number;
  /** All of it, header included. */
  readonly bytes: Uint8Array;
}

const superBlob = 0xfade0cc0;
const mostBlobs = 256;
const scope = "code_signature";

/** The parts of an embedded signature in the order of its index; undefined when it is none. */
export function readSuperBlob(source: ByteSource, findings: Findings): readonly SignatureBlob[] | undefined {
  const reader = new ByteReader(source, "big");
  const count = findings.attempt(scope, 0, () => (reader.u32(0) === superBlob ? reader.u32(8) : undefined));
  if (count === undefined) return undefined;
  if (count > mostBlobs) findings.limited(scope, "limit_items", count - mostBlobs, mostBlobs);
  const blobs: SignatureBlob[] = [];
  for (let index = 0; index < Math.min(count, mostBlobs); index += 1) {
    const at = 12 + index * 8;
    const blob = findings.attempt(scope, at, () => blobAt(reader, reader.u32(at), reader.u32(at + 4)));
    if (blob !== undefined) blobs.push(blob);
  }
  return blobs;
}

function blobAt(reader: ByteReader, slot: number, offset: number): SignatureBlob {
  return { slot, magic: reader.u32(offset), offset, bytes: reader.bytes(offset, Math.max(8, reader.u32(offset + 4))) };
}

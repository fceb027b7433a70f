import { both32 } from "./both-endian.js";
import type { DirectoryRecord } from "./directory-record.js";
import type { SystemUseField } from "./system-use.js";

/** What Rock Ridge (RRIP 1.12) says of a record. */
export interface RockRidge {
  readonly name: Uint8Array | undefined;
  readonly mode: number | undefined;
  readonly target: Uint8Array | undefined;
  /** Block of the directory that stands elsewhere and belongs here. */
  readonly child: number | undefined;
  /** True for a directory that belongs elsewhere. */
  readonly relocated: boolean;
  /** The data is compressed block by block; sizes of the plain file and its blocks. */
  readonly compressed: { readonly bytes: number; readonly algorithm: string } | undefined;
  readonly sparse: boolean;
  readonly agrees: boolean;
}

export const noRockRidge: RockRidge = {
  name: undefined,
  mode: undefined,
  target: undefined,
  child: undefined,
  relocated: false,
  compressed: undefined,
  sparse: false,
  agrees: true,
};

/** Bytes in front of every system use area; undefined when the root's own record shows no Rock Ridge. */
export function rockRidgeSkip({ systemUse }: DirectoryRecord): number | undefined {
  const signature = systemUse.toString("latin1", 0, 2);
  if (signature === "SP" && systemUse.byteLength >= 7 && systemUse[4] === 0xbe && systemUse[5] === 0xef) return systemUse[6];
  // Early writers leave the mark out.
  return signature === "RR" || signature === "PX" ? 0 : undefined;
}

export function rockRidgeOf(fields: readonly SystemUseField[]): RockRidge {
  const long = (signature: string, length: number): Buffer | undefined => fields.find((field) => field.signature === signature && field.bytes.byteLength >= length)?.bytes;
  const px = long("PX", 36);
  const cl = long("CL", 12);
  const zf = long("ZF", 16);
  const mode = px === undefined ? undefined : both32(px, 4);
  const child = cl === undefined ? undefined : both32(cl, 4);
  return {
    name: nameOf(fields),
    mode: mode?.value,
    target: targetOf(fields),
    child: child?.value,
    relocated: fields.some(({ signature }) => signature === "RE"),
    compressed: zf === undefined ? undefined : { bytes: zf.readUInt32LE(8), algorithm: zf.toString("latin1", 4, 6) },
    sparse: fields.some(({ signature }) => signature === "SF"),
    agrees: mode?.agrees !== false && child?.agrees !== false,
  };
}

const nameFlags = { continues: 1, current: 2, parent: 4 } as const;

function nameOf(fields: readonly SystemUseField[]): Uint8Array | undefined {
  const pieces: Buffer[] = [];
  for (const { signature, bytes } of fields) {
    if (signature !== "NM" || bytes.byteLength < 5) continue;
    const flags = bytes.readUInt8(4);
    if ((flags & (nameFlags.current | nameFlags.parent)) !== 0) return undefined;
    pieces.push(bytes.subarray(5));
    if ((flags & nameFlags.continues) === 0) break;
  }
  return pieces.length === 0 ? undefined : Uint8Array.from(Buffer.concat(pieces));
}

const componentFlags = { continues: 1, current: 2, parent: 4, root: 8 } as const;

/** A symbolic link's target is written as components, each of which may go on in the next. */
function targetOf(fields: readonly SystemUseField[]): Uint8Array | undefined {
  const links = fields.filter(({ signature, bytes }) => signature === "SL" && bytes.byteLength >= 5);
  if (links.length === 0) return undefined;
  const pieces: Buffer[] = [];
  let joins = true;
  for (const { bytes } of links) {
    for (let at = 5; at + 2 <= bytes.byteLength; ) {
      const flags = bytes.readUInt8(at);
      const end = Math.min(at + 2 + bytes.readUInt8(at + 1), bytes.byteLength);
      if (!joins) pieces.push(Buffer.from("/"));
      pieces.push(componentText(flags) ?? bytes.subarray(at + 2, end));
      joins = (flags & (componentFlags.continues | componentFlags.root)) !== 0;
      at = end;
    }
  }
  return Uint8Array.from(Buffer.concat(pieces));
}

function componentText(flags: number): Buffer | undefined {
  if ((flags & componentFlags.current) !== 0) return Buffer.from(".");
  if ((flags & componentFlags.parent) !== 0) return Buffer.from("..");
  return (flags & componentFlags.root) !== 0 ? Buffer.from("/") : undefined;
}

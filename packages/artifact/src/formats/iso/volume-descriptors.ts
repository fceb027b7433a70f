import type { PieceWindow } from "../../reading/piece-window.js";
import { both16, both32 } from "./both-endian.js";
import { readRecord, type DirectoryRecord } from "./directory-record.js";

export const sectorBytes = 2048;
/** The first descriptor stands behind the system area of 16 sectors. */
export const firstDescriptor = 16;
const mostDescriptors = 64;

export type TreeKind = "primary" | "joliet" | "enhanced";

/** One name tree of the volume, from its descriptor. */
export interface VolumeTree {
  readonly kind: TreeKind;
  /** Of the descriptor, from the image's start. */
  readonly at: number;
  readonly blockBytes: number;
  readonly spaceBlocks: number;
  readonly root: DirectoryRecord;
  readonly pathTables: {
    readonly bytes: number;
    /** Blocks; 0 for a table that is not there. */
    readonly little: readonly number[];
    readonly big: readonly number[];
  };
  readonly agrees: boolean;
}

export interface Descriptors {
  readonly trees: readonly VolumeTree[];
  /** Offsets of descriptors that could not be read. */
  readonly damaged: readonly number[];
  /** Blocks of El Torito boot catalogs. */
  readonly bootCatalogs: readonly number[];
  /** Behind the last descriptor. */
  readonly end: number;
  readonly terminated: boolean;
  /** UDF has its own descriptors behind those of ISO 9660. */
  readonly hasUdf: boolean;
}

const kinds = { boot: 0, primary: 1, supplementary: 2, terminator: 255 } as const;

/** Reads descriptors from a sector on (ECMA-119 §8): from 16, or from that of another session. */
export function readDescriptors(window: PieceWindow, first = firstDescriptor): Descriptors {
  const trees: VolumeTree[] = [];
  const damaged: number[] = [];
  const bootCatalogs: number[] = [];
  let sector = first;
  let terminated = false;
  for (; sector < first + mostDescriptors && !terminated; sector += 1) {
    const bytes = descriptorAt(window, sector);
    if (bytes === undefined || !isDescriptor(bytes)) break;
    const at = sector * sectorBytes;
    const type = bytes[0];
    const tree = type === kinds.primary || type === kinds.supplementary ? treeOf(bytes, at) : undefined;
    if (tree !== undefined) trees.push(tree);
    else if (type === kinds.primary || type === kinds.supplementary) damaged.push(at);
    if (type === kinds.boot && bytes.toString("latin1", 7, 30) === "EL TORITO SPECIFICATION") bootCatalogs.push(bytes.readUInt32LE(71));
    terminated = type === kinds.terminator;
  }
  return { trees, damaged, bootCatalogs, end: sector * sectorBytes, terminated, hasUdf: hasUdf(window, sector) };
}

function descriptorAt(window: PieceWindow, sector: number): Buffer | undefined {
  return window.holds(sector * sectorBytes, sectorBytes) ? window.bytes(sector * sectorBytes, sectorBytes) : undefined;
}

/** Whether a sector starts as a descriptor does. */
export function isDescriptor(bytes: Buffer): boolean {
  return bytes.toString("latin1", 1, 6) === "CD001";
}

function treeOf(bytes: Buffer, at: number): VolumeTree | undefined {
  const root = readRecord(Buffer.from(bytes.subarray(156, 190)), at + 156);
  const block = both16(bytes, 128);
  const space = both32(bytes, 80);
  const tableBytes = both32(bytes, 132);
  const isBlock = block.value >= 512 && block.value <= sectorBytes && Number.isInteger(Math.log2(block.value));
  if (root === undefined || !isBlock) return undefined;
  return {
    kind: kindOf(bytes),
    at,
    blockBytes: block.value,
    spaceBlocks: space.value,
    root,
    pathTables: {
      bytes: tableBytes.value,
      little: [bytes.readUInt32LE(140), bytes.readUInt32LE(144)],
      big: [bytes.readUInt32BE(148), bytes.readUInt32BE(152)],
    },
    agrees: root.agrees && block.agrees && space.agrees && tableBytes.agrees,
  };
}

/** Joliet names itself by an escape sequence for UCS-2; other supplementary descriptors are those of ISO 9660:1999. */
function kindOf(bytes: Buffer): TreeKind {
  if (bytes[0] === kinds.primary) return "primary";
  return /^%\/[@CE]/.test(bytes.toString("latin1", 88, 91)) ? "joliet" : "enhanced";
}

/** ECMA-167 2/9: an extended area between `BEA01` and `TEA01`, directly behind. */
function hasUdf(window: PieceWindow, behind: number): boolean {
  for (let sector = behind; sector < behind + 8; sector += 1) {
    const bytes = descriptorAt(window, sector);
    if (bytes === undefined) return false;
    if (/^NSR0[23]$/.test(bytes.toString("latin1", 1, 6))) return true;
  }
  return false;
}

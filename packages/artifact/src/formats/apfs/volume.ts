import { untilNul, whole } from "./object.js";

/** What a volume's superblock says. */
export interface ApfsVolume {
  readonly name: Buffer;
  readonly transaction: number;
  readonly objectMap: number;
  /** Id of the root of the file system tree. */
  readonly root: number;
  readonly snapshots: number;
  readonly isEncrypted: boolean;
  /** The volume is signed as a whole, and its trees have another shape. */
  readonly isSealed: boolean;
  /** Names in directories stand with their hash. */
  readonly hasHashedNames: boolean;
  readonly files: number;
  readonly links: number;
  readonly role: number;
}

const unencrypted = 1n;
const caseInsensitive = 1n;
const normalizationInsensitive = 8n;
const sealed = 0x20n;

/** Reads a volume's superblock (`APSB`); undefined when it is none. */
export function apfsVolume(block: Buffer): ApfsVolume | undefined {
  if (block.toString("latin1", 32, 36) !== "APSB") return undefined;
  const incompatible = block.readBigUInt64LE(56);
  return {
    name: untilNul(block.subarray(704, 960)),
    transaction: whole(block, 16),
    objectMap: whole(block, 128),
    root: whole(block, 136),
    snapshots: whole(block, 216),
    isEncrypted: (block.readBigUInt64LE(264) & unencrypted) === 0n,
    isSealed: (incompatible & sealed) !== 0n,
    hasHashedNames: (incompatible & (caseInsensitive | normalizationInsensitive)) !== 0n,
    files: whole(block, 184),
    links: whole(block, 200),
    role: block.readUInt16LE(964),
  };
}

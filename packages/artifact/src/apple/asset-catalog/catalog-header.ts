import type { BomStore } from "./bom-store.js";
import { attributeName } from "./catalog-words.js";

export interface CatalogHeader {
  readonly coreUiVersion: number;
  readonly storageVersion: number;
  /** Seconds from 1970 as stored; 0 where the writer left it out. */
  readonly timestamp: number;
  readonly renditionCount: number;
  readonly mainVersion: string;
  readonly version: string;
  readonly uuid: string;
  readonly associatedChecksum: number;
  readonly schemaVersion: number;
  readonly colorSpaceId: number;
  readonly keySemantics: number;
}

export interface CatalogMetadata {
  readonly thinningArguments: string;
  readonly platformVersion: string;
  readonly platform: string;
  readonly authoringTool: string;
}

const headerBytes = 436;
const metadataBytes = 4 + 4 * 256;
const mostTokens = 64;

/** The variable CARHEADER: tag `CTAR`, then numbers and texts, little endian. */
export function catalogHeader(store: BomStore): CatalogHeader | undefined {
  const block = store.variable("CARHEADER");
  if (block === undefined) return undefined;
  const { bytes, offset } = block;
  if (bytes.byteLength < headerBytes || tagOf(bytes) !== "CTAR") {
    store.note("malformed", "The catalog's header has another tag or is too short.", offset);
    return undefined;
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const number = (at: number) => view.getUint32(at, true);
  return {
    coreUiVersion: number(4),
    storageVersion: number(8),
    timestamp: number(12),
    renditionCount: number(16),
    mainVersion: textAt(bytes, 20, 128),
    version: textAt(bytes, 148, 256),
    uuid: uuidOf(bytes.subarray(404, 420)),
    associatedChecksum: number(420),
    schemaVersion: number(424),
    colorSpaceId: number(428),
    keySemantics: number(432),
  };
}

/** The variable EXTENDED_METADATA: four texts. */
export function catalogMetadata(store: BomStore): CatalogMetadata | undefined {
  const bytes = store.variable("EXTENDED_METADATA")?.bytes;
  if (bytes === undefined || bytes.byteLength < metadataBytes || tagOf(bytes) !== "META") return undefined;
  const text = (index: number) => textAt(bytes, 4 + index * 256, 256);
  return { thinningArguments: text(0), platformVersion: text(1), platform: text(2), authoringTool: text(3) };
}

/** Attributes of a rendition's key in order, by number. */
export function keyFormat(store: BomStore): readonly number[] {
  const block = store.variable("KEYFORMAT") ?? store.variable("KEYFORMATWORKAROUND");
  if (block === undefined) return [];
  const { bytes, offset } = block;
  if (bytes.byteLength < 12 || tagOf(bytes) !== "kfmt") {
    store.note("malformed", "The format of keys has another tag or is too short.", offset);
    return [];
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const declared = view.getUint32(8, true);
  const count = Math.min(declared, mostTokens, Math.floor((bytes.byteLength - 12) / 4));
  if (count < declared) store.note("truncated", "The format of keys announces more attributes than it has.", offset);
  return Array.from({ length: count }, (_, index) => view.getUint32(12 + index * 4, true));
}

export function keyFormatNames(tokens: readonly number[]): readonly string[] {
  return tokens.map(attributeName);
}

/** Four characters that are stored as a number, the first one in its highest byte. */
export function tagOf(bytes: Uint8Array, at = 0): string {
  return Buffer.from(bytes.subarray(at, at + 4)).reverse().toString("latin1");
}

/** Text up to a NUL in a field of fixed length, without the line end that some writers leave there. */
export function textAt(bytes: Uint8Array, at: number, length: number): string {
  const field = Buffer.from(bytes.subarray(at, at + length));
  const end = field.indexOf(0);
  return field.toString("utf8", 0, end < 0 ? field.length : end).trimEnd();
}

function uuidOf(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString("hex").toUpperCase();
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

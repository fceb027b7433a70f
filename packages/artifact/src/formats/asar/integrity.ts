import { emptySha256 } from "@rea/core";
import type { DeclaredCheck } from "../../format.js";
import type { JsonScanner, Scalar } from "./json-scanner.js";

/** What the header says of a file's hashes, unchecked. */
export interface Integrity {
  readonly algorithm: Scalar | undefined;
  readonly hash: Scalar | undefined;
  readonly blockSize: Scalar | undefined;
  readonly blocks: readonly Scalar[] | undefined;
}

/** More blocks than this no file has: four terabytes at the usual size. */
const mostBlocks = 1_000_000;

export function readIntegrity(scanner: JsonScanner): Integrity | undefined {
  if (scanner.next() !== "object") {
    scanner.skip();
    return undefined;
  }
  let algorithm: Scalar | undefined;
  let hash: Scalar | undefined;
  let blockSize: Scalar | undefined;
  let blocks: readonly Scalar[] | undefined;
  for (const key of scanner.keys()) {
    if (key.text === "algorithm") algorithm = scanner.scalar();
    else if (key.text === "hash") hash = scanner.scalar();
    else if (key.text === "blockSize") blockSize = scanner.scalar();
    else if (key.text === "blocks") blocks = readBlocks(scanner);
    else scanner.skip();
  }
  return { algorithm, hash, blockSize, blocks };
}

function readBlocks(scanner: JsonScanner): readonly Scalar[] | undefined {
  if (scanner.next() !== "list") {
    scanner.skip();
    return undefined;
  }
  const blocks: Scalar[] = [];
  for (const index of scanner.items()) {
    if (index < mostBlocks) blocks.push(scanner.scalar());
    else scanner.skip();
  }
  return blocks;
}

export interface IntegrityReading {
  readonly checks: readonly DeclaredCheck[];
  /** What of the record cannot be right, whatever the content. */
  readonly problems: readonly string[];
  /** The record names another algorithm than the one there is. */
  readonly foreignAlgorithm: boolean;
}

const declaredBy = "ASAR header";

/** The checks an integrity record stands for: SHA-256 of the whole, and of blocks of which the last may be shorter. */
export function integrityChecks(integrity: Integrity, bytes: number): IntegrityReading {
  if (textOf(integrity.algorithm) !== "SHA256") return { checks: [], problems: [], foreignAlgorithm: true };
  const hex = digestOf(integrity.hash);
  const blocks = blockCheck(integrity, bytes);
  const whole: readonly DeclaredCheck[] = hex === undefined ? [] : [{ kind: "digest", algorithm: "sha256", hex, declaredBy }];
  return {
    checks: [...whole, ...blocks.checks],
    problems: [...(hex === undefined ? ["The integrity record has no SHA-256 of the file."] : []), ...blocks.problems],
    foreignAlgorithm: false,
  };
}

function blockCheck(integrity: Integrity, bytes: number): { readonly checks: readonly DeclaredCheck[]; readonly problems: readonly string[] } {
  const blockBytes = wholeNumber(integrity.blockSize);
  if (blockBytes === undefined || blockBytes === 0) return { checks: [], problems: ["The integrity record has no usable block size."] };
  if (integrity.blocks === undefined) return { checks: [], problems: ["The integrity record has no list of blocks."] };
  const hex = integrity.blocks.map((block) => digestOf(block) ?? "");
  const problems = hex.includes("") ? ["The integrity record lists something that is no SHA-256."] : [];
  const counted = withoutEmptyBlock(hex, bytes, blockBytes);
  const needed = Math.max(1, Math.ceil(bytes / blockBytes));
  if (counted.length !== needed && !(bytes === 0 && counted.length === 0)) {
    problems.push(`The integrity record lists ${String(counted.length)} blocks of ${String(blockBytes)} bytes; the file has ${String(needed)}.`);
  }
  return { checks: [{ kind: "blocks", algorithm: "sha256", blockBytes, hex: counted, declaredBy }], problems };
}

/** Packers write one more block of nothing behind a file that fills its blocks. */
function withoutEmptyBlock(hex: readonly string[], bytes: number, blockBytes: number): readonly string[] {
  const fills = bytes > 0 && bytes % blockBytes === 0 && hex.length === bytes / blockBytes + 1;
  return fills && hex.at(-1) === emptySha256 ? hex.slice(0, -1) : hex;
}

function textOf(scalar: Scalar | undefined): string | undefined {
  return scalar?.kind === "string" ? scalar.value.text : undefined;
}

function digestOf(scalar: Scalar | undefined): string | undefined {
  const text = textOf(scalar)?.toLowerCase();
  return text !== undefined && /^[0-9a-f]{64}$/.test(text) ? text : undefined;
}

/** A JSON number that is a size; undefined for anything else. */
export function wholeNumber(scalar: Scalar | undefined): number | undefined {
  if (scalar?.kind !== "number") return undefined;
  const value = Number(scalar.text);
  return Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

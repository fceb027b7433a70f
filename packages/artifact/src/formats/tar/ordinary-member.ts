import type { ExpectedMember } from "../../reading/tar/tar-stretch.js";
import type { MemberFacts } from "./member-facts.js";
import type { PaxRecord } from "./pax-records.js";
import type { TarHeader } from "./tar-header.js";

/** Kinds that every reader knows. */
const plainTypes: ReadonlySet<string> = new Set(["\0", "0", "1", "2", "3", "4", "5", "6", "7"]);
/** Keys that make a member something else, or its name something else than text. */
const specialKeys = /^(?:GNU\.sparse\.|hdrcharset$|SCHILY\.realsize$)/u;
/** Those that say of a member what its own header says. */
const memberKeys: ReadonlySet<string> = new Set(["path", "linkpath", "size"]);
/** A longer body of an extended header is none of an ordinary member. */
const longestOrdinaryBody = 64 * 1024;
const plainOctal = /^ *[0-7]+[ \0]*$/u;
/** Of a block of zeros with blanks in the sum's field. */
const emptySum = 256;

/**
 * Whether a header block says what it says in the one way that all readers understand: an unsigned sum, a size in octal
 * digits or in base 256 of up to 2⁵³, and a magic that stands for one dialect. By its raw bytes.
 */
function isPlainHeader({ block, dialect, size, sum }: TarHeader): boolean {
  if (dialect === "star" || (dialect === "ustar" && block[262] !== 0)) return false;
  if (size === undefined || size < 0 || !isPlainSize(block)) return false;
  return isPlainSum(block, sum);
}

function isPlainSize(block: Uint8Array): boolean {
  return block[124] === 0x80 || plainOctal.test(latin(block, 124, 136)) || block.subarray(124, 136).every((byte) => byte === 0);
}

/** An unsigned sum in octal digits, and not that of a header of nothing, which some readers take for the end of the archive. */
function isPlainSum(block: Uint8Array, sum: number): boolean {
  const field = latin(block, 148, 156);
  return sum !== emptySum && plainOctal.test(field) && sum === Number.parseInt(field, 8);
}

function latin(block: Uint8Array, start: number, end: number): string {
  return Buffer.from(block.buffer, block.byteOffset + start, end - start).toString("latin1");
}

/** Whether an extended header is of a kind and size that all readers understand. */
export function isPlainExtension(header: TarHeader): boolean {
  const { size = 0, typeflag } = header;
  return "xLK".includes(typeflag) && size > 0 && size <= longestOrdinaryBody && isPlainHeader(header);
}

/** Whether the body of a GNU long name is one. */
export function isPlainLongName(name: Uint8Array): boolean {
  return name.byteLength > 0 && textOf(name) !== undefined;
}

/** Whether the records of one pax header say each thing once, and in text. */
export function arePlainRecords(records: readonly PaxRecord[]): boolean {
  const keys = new Set(records.map(({ key }) => key));
  if (keys.size !== records.length) return false;
  return records.every(({ key, value }) => !specialKeys.test(key) && (!memberKeys.has(key) || (value.byteLength > 0 && textOf(value) !== undefined)));
}

/** Whether a global key leaves the members behind it alone. */
export function isHarmlessGlobal(key: string): boolean {
  return !memberKeys.has(key) && !specialKeys.test(key);
}

/** What every reader must see of a member; undefined for one that is not ordinary. `isPlain`: its extended headers are. */
export function expectedMember(header: TarHeader, facts: MemberFacts, isPlain: boolean): ExpectedMember | undefined {
  if (!isPlain || !plainTypes.has(header.typeflag) || !isPlainHeader(header)) return undefined;
  const { name, link, kind, storedBytes } = facts;
  if (name.text === undefined || name.text === "" || storedBytes === undefined || storedBytes < 0) return undefined;
  // Data where there should be none, and a directory that shows itself by its slash only, are read in more than one way.
  if (kind !== "file" && (storedBytes > 0 || (kind === "directory" && header.typeflag !== "5"))) return undefined;
  const linkTarget = kind === "symlink" || kind === "hardlink" ? (textOf(link) ?? null) : undefined;
  return linkTarget === null ? undefined : { name: name.text, linkTarget, kind, bytes: storedBytes };
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

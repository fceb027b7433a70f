import { createHash } from "node:crypto";
import type { ByteSource } from "@rea/core";
import { isFormatError } from "../findings.js";
import type { MachoDirectory } from "./macho-directory.js";
import type { Steps } from "./steps.js";

/** One page whose bytes do not have the declared hash. */
export interface PageMismatch {
  readonly page: number;
  /** Counted from the start of the file. */
  readonly file_offset: number;
  readonly size: number;
  readonly declared: string;
  /** Null when the page is not in the file. */
  readonly calculated: string | null;
}

export interface PageCheck {
  readonly checked: number;
  readonly matched: number;
  readonly mismatched: readonly PageMismatch[];
  readonly mismatched_total: number;
  /** Why pages were not checked; null when all were. */
  readonly not_checked: string | null;
}

const shownMismatches = 100;
const mostPages = 16_777_216;
const pieceBytes = 1 << 20;

/** Recomputes the page hashes of a code directory over its image. `fileOffset` is where the image starts in the file. */
export function* checkPages(image: ByteSource, directory: MachoDirectory, fileOffset: number): Steps<PageCheck> {
  const { hash, scattered, codeLimit, codeSlots } = directory;
  if (hash === undefined) return nothing("The hash type is not known.");
  if (scattered) return nothing("The pages are scattered, which is not read.");
  if (codeSlots > mostPages) return nothing("The directory declares more pages than any image has.");
  const pageBytes = directory.pageBytes === 0 ? Math.max(codeLimit, 1) : directory.pageBytes;
  const mismatched: PageMismatch[] = [];
  let matched = 0;
  for (let page = 0; page < codeSlots; page += 1) {
    const start = page * pageBytes;
    const size = Math.max(0, Math.min(pageBytes, codeLimit - start));
    const declared = declaredHash(directory, page);
    if (declared === undefined) return { ...sum(page, matched, mismatched), not_checked: "The list of hashes is cut short." };
    const calculated = yield* pageHash(image, { start, size, algorithm: hash.algorithm, kept: hash.kept });
    if (calculated === declared) matched += 1;
    else if (mismatched.push({ page, file_offset: fileOffset + start, size, declared, calculated }) > shownMismatches) mismatched.pop();
    if (page % 256 === 255) yield undefined;
  }
  return { ...sum(codeSlots, matched, mismatched), not_checked: null };
}

function sum(checked: number, matched: number, mismatched: readonly PageMismatch[]): Omit<PageCheck, "not_checked"> {
  return { checked, matched, mismatched, mismatched_total: checked - matched };
}

function nothing(why: string): PageCheck {
  return { checked: 0, matched: 0, mismatched: [], mismatched_total: 0, not_checked: why };
}

function declaredHash(directory: MachoDirectory, page: number): string | undefined {
  try {
    return directory.slotHash(page);
  } catch (error) {
    if (isFormatError(error)) return undefined;
    throw error;
  }
}

interface Page {
  readonly start: number;
  readonly size: number;
  readonly algorithm: string;
  readonly kept: number;
}

function* pageHash(image: ByteSource, { start, size, algorithm, kept }: Page): Steps<string | null> {
  if (start + size > image.size) return null;
  const hash = createHash(algorithm);
  for (let at = start; at < start + size; at += pieceBytes) {
    hash.update(image.read(at, Math.min(pieceBytes, start + size - at)));
    if (size > pieceBytes) yield undefined;
  }
  return hash.digest("hex").slice(0, kept * 2);
}

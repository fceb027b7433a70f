import type { PeFile } from "./pe-file.js";

/** Code that tables of exception handling call for a function. */
export interface CalledParts {
  /** RVAs of bodies of `catch`, clean-up code, filters and bodies of `__finally`. */
  readonly parts: ReadonlySet<number>;
  /** Entries of tables that were read. */
  readonly entries: number;
}

/** A range of code with its language data; all RVAs. */
export interface HandledRange {
  readonly start: number;
  readonly end: number | undefined;
  readonly data: number;
}

export interface DataContext {
  readonly file: PeFile;
  /** Entries of tables that may still be read. */
  readonly budget: number;
  /** RVAs at which the exception directory has an entry. */
  readonly starts: ReadonlySet<number>;
  /** True for RVAs in executable sections. */
  readonly isCode: (rva: number) => boolean;
}

/** The 32-bit word at an RVA, undefined outside the data of sections. */
export function wordAt(file: PeFile, rva: number): number | undefined {
  const place = file.place(rva);
  return place === undefined || place.available < 4 ? undefined : file.aside.u32(place.offset);
}

import type { EntryName } from "../../format.js";
import { Extents } from "../../reading/extents.js";
import type { FindingReport } from "../../reading/finding-report.js";
import type { Extent } from "./extent.js";

const namesKept = 1000;

/** Which bytes of the image something lays claim to. */
export class SpaceMap {
  readonly #claims = new Extents();
  /** Data of files, each range once however many names it has. */
  readonly #files = new Map<number, number>();
  readonly #names = new Map<number, EntryName>();

  /** Structures of the volume, which files may be as well (boot images). */
  structure(start: number, length: number): void {
    if (length > 0) this.#claims.add(start, start + length, -1);
  }

  file(start: number, length: number, name: EntryName): void {
    if (length === 0 || this.#files.get(start) === length) return;
    this.#files.set(start, length);
    this.#claims.add(start, start + length, start);
    if (this.#names.size < namesKept) this.#names.set(start, name);
  }

  /** Ranges before `end` that nothing claims. */
  *gaps(end: number): Generator<Extent, void, undefined> {
    let reached = 0;
    for (const { start, end: stop } of [...this.#claims.sorted(), { start: end, end }]) {
      const from = Math.min(start, end);
      if (from > reached) yield { start: reached, length: from - reached };
      reached = Math.max(reached, stop);
    }
  }

  /** Tells of files that share part of their data; those that share all of it are names of one file. */
  reportOverlaps(findings: FindingReport): void {
    let reached = 0;
    for (const { start, end, record } of this.#claims.sorted()) {
      if (record < 0) continue;
      if (start < reached) findings.add(overlap(start, Math.min(end, reached)), this.#names.get(record));
      reached = Math.max(reached, end);
    }
  }
}

function overlap(start: number, end: number): Parameters<FindingReport["add"]>[0] {
  const detail = `Bytes ${String(start)} to ${String(end)} belong to files that are not the same.`;
  return { anomaly: "overlap", offset: start, detail, effect: "Readers show the same bytes as parts of several files; writers share whole files only." };
}

import type { EntryName } from "../../format.js";
import { Extents } from "../../reading/extents.js";
import type { FindingReport } from "../../reading/finding-report.js";

const namesKept = 1000;

/** Which bytes of the archive files lay claim to; tells of gaps, overlaps, disorder and bytes behind the last file. */
export class PackedExtents {
  readonly #extents = new Extents();
  /** Names of files that do not follow on what came before; those are the ones worth naming. */
  readonly #names = new Map<number, EntryName>();
  #count = 0;
  #reached: number;
  #lastStart: number;
  #unordered = 0;

  constructor(dataOffset: number) {
    this.#reached = dataOffset;
    this.#lastStart = dataOffset;
    this.#extents.add(0, dataOffset, -1);
  }

  add(start: number, end: number, name: EntryName): void {
    if (end === start) return;
    if (start < this.#lastStart) this.#unordered += 1;
    if (start < this.#reached && this.#names.size < namesKept) this.#names.set(this.#count, name);
    this.#extents.add(start, end, this.#count);
    this.#count += 1;
    this.#lastStart = start;
    this.#reached = Math.max(this.#reached, end);
  }

  report(findings: FindingReport, size: number): void {
    let reached = 0;
    let owner = -1;
    let last: { readonly start: number; readonly end: number } | undefined;
    for (const { start, end, record } of this.#extents.sorted()) {
      if (start > reached) findings.add(gap(reached, start));
      if (start < reached) {
        const same = last?.start === start && last.end === end;
        findings.add(overlap(start, Math.min(end, reached), same), this.#names.get(record) ?? this.#names.get(owner));
      }
      last = { start, end };
      if (end > reached) owner = record;
      reached = Math.max(reached, end);
    }
    if (reached < size) findings.add(trailing(reached, size));
    if (this.#unordered > 0) findings.add(unordered(this.#unordered));
  }
}

type Finding = Parameters<FindingReport["add"]>[0];

function gap(start: number, end: number): Finding {
  const detail = `${String(end - start)} bytes among the files' data belong to no file.`;
  return { anomaly: "gap", offset: start, detail, effect: "No reader of the archive shows these bytes." };
}

function overlap(start: number, end: number, same: boolean): Finding {
  const detail = same ? "Two files have the same bytes of the archive." : `Bytes ${String(start)} to ${String(end)} belong to more than one file.`;
  return { anomaly: "overlap", offset: start, detail, effect: "Readers show the same bytes as parts of several files; packers never write this." };
}

function trailing(start: number, end: number): Finding {
  const detail = `${String(end - start)} bytes stand behind the last file's data.`;
  return { anomaly: "trailing_data", offset: start, detail, effect: "No reader of the archive shows these bytes." };
}

function unordered(count: number): Finding {
  const detail = `The data of ${String(count)} files stands before that of the file listed before them.`;
  return { anomaly: "unordered_offsets", offset: null, detail, effect: "Readers that take data in the header's order mix contents up; readers of offsets do not." };
}

import type { CodeMap, CodeRegion } from "../analysis/code-map.js";
import type { AddressSet } from "../analysis/address-set.js";
import { DamagedCache, requireRows, type SectionReader, type SectionWriter } from "./sections.js";

type Sets = Pick<CodeRegion, "runs" | "leaders" | "entries" | "extentEnds" | "claimed" | "data">;

/** What was found in the executable ranges; the ranges, their bytes and decoders come from the image. */
export function writeCode(writer: SectionWriter, code: CodeMap): void {
  writer.numbers("cd.from", Float64Array.from(code.regions, ({ start }) => start));
  writer.numbers("cd.end", Float64Array.from(code.regions, ({ end }) => end));
  for (const region of code.regions) {
    const { start: _start, end: _end, bytes: _bytes, decoder: _decoder, marks, ...sets } = region;
    const { runs: _runs, leaders: _leaders, entries: _entries, extentEnds: _ends, claimed: _claimed, data: _data, ...rest } = sets;
    // A member that is added does not compile before it is kept here or named above.
    rest satisfies Record<string, never>;
    writer.bytes("cd.marks", marks);
    for (const [set, tag] of setsOf(sets)) writer.words(tag, set.words);
  }
}

/** Fills a map that is as its image makes it. */
export function readCode(reader: SectionReader, code: CodeMap): void {
  const starts = reader.numbers("cd.from");
  const ends = reader.numbers("cd.end");
  requireRows(code.regions.length, starts, ends);
  code.regions.forEach((region, index) => {
    if (region.start !== starts[index] || region.end !== ends[index]) throw new DamagedCache("the code stands elsewhere");
    const marks = reader.bytes("cd.marks");
    requireRows(region.marks.length, marks);
    region.marks.set(marks);
    for (const [set, tag] of setsOf(region)) {
      const words = reader.words(tag);
      requireRows(set.words.length, words);
      set.load(words);
    }
  });
}

function setsOf(sets: Sets): readonly (readonly [AddressSet, string])[] {
  return [
    [sets.runs, "cd.runs"],
    [sets.leaders, "cd.lead"],
    [sets.entries, "cd.entry"],
    [sets.extentEnds, "cd.ends"],
    [sets.claimed, "cd.claim"],
    [sets.data, "cd.data"],
  ];
}

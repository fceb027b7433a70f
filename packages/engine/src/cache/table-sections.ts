import { omissionSchema, z } from "@rea/core";
import type { ImportPlaces } from "../analysis/analyzed-program.js";
import type { SwitchTargets } from "../analysis/blocks.js";
import { ReferenceTable } from "../analysis/reference-table.js";
import type { AnalysisCoverage } from "../program.js";
import { DamagedCache, requireRows, type SectionReader, type SectionWriter } from "./sections.js";

export function writeReferences(writer: SectionWriter, references: ReferenceTable): void {
  const { from, to, packed, byTo, sortedTo, ...rest } = references.columns;
  rest satisfies Record<string, never>;
  writer.numbers("rf.from", from);
  writer.numbers("rf.to", to);
  writer.bytes("rf.kind", packed);
  writer.words("rf.byTo", byTo);
  writer.numbers("rf.sort", sortedTo);
}

export function readReferences(reader: SectionReader): ReferenceTable {
  const from = reader.numbers("rf.from");
  const to = reader.numbers("rf.to");
  const packed = reader.bytes("rf.kind");
  const byTo = reader.words("rf.byTo");
  const sortedTo = reader.numbers("rf.sort");
  requireRows(from.length, to, packed, byTo, sortedTo);
  return new ReferenceTable({ from, to, packed, byTo, sortedTo });
}

export function writeSwitches(writer: SectionWriter, switches: SwitchTargets): void {
  const jumps = [...switches];
  writer.numbers("sw.jump", Float64Array.from(jumps, ([jump]) => jump));
  writer.words("sw.count", Uint32Array.from(jumps, ([, targets]) => targets.length));
  writer.numbers("sw.to", Float64Array.from(jumps.flatMap(([, targets]) => targets)));
}

export function readSwitches(reader: SectionReader): SwitchTargets {
  const jumps = reader.numbers("sw.jump");
  const counts = reader.words("sw.count");
  const targets = reader.numbers("sw.to");
  requireRows(jumps.length, counts);
  requireRows(counts.reduce((sum, count) => sum + count, 0), targets);
  let next = 0;
  return new Map(
    Array.from(jumps, (jump, row) => {
      const first = next;
      next += counts[row] ?? 0;
      return [jump, [...targets.subarray(first, next)]] as const;
    }),
  );
}

export function writeImportPlaces(writer: SectionWriter, imports: ImportPlaces): void {
  const { slots, stubOfSlot, ...rest } = imports;
  rest satisfies Record<string, never>;
  writer.numbers("im.slot", Float64Array.from(slots));
  writer.numbers("im.from", Float64Array.from(stubOfSlot.keys()));
  writer.numbers("im.stub", Float64Array.from(stubOfSlot.values()));
}

export function readImportPlaces(reader: SectionReader): ImportPlaces {
  const slots = reader.numbers("im.slot");
  const from = reader.numbers("im.from");
  const stubs = reader.numbers("im.stub");
  requireRows(from.length, stubs);
  return { slots: new Set(slots), stubOfSlot: new Map(Array.from(from, (slot, row) => [slot, stubs[row] ?? 0] as const)) };
}

const coverageSchema = z.strictObject({
  codeBytes: z.number(),
  examinedCodeBytes: z.number(),
  unresolvedIndirectJumps: z.array(z.number()),
  omissions: z.array(omissionSchema),
  limitations: z.array(z.string()),
} satisfies { readonly [K in keyof Required<AnalysisCoverage>]: z.ZodType });

export function writeCoverage(writer: SectionWriter, coverage: AnalysisCoverage): void {
  writer.json("coverage", coverage);
}

export function readCoverage(reader: SectionReader): AnalysisCoverage {
  const read = coverageSchema.safeParse(reader.json("coverage"));
  if (!read.success) throw new DamagedCache("the coverage has another form");
  return read.data;
}

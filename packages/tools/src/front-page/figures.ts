import type { Coverage } from "@rea/core";
import type { Overview } from "../enhanced/overview-result.js";
import type { Inspection } from "./inspection.js";

/** The numbers of the page; null is "not counted", never "none". */
export function countsOf(inspection: Inspection, overview: Overview | null): { name: string; value: number | null }[] {
  return [...analysisCounts(overview, inspection), ...fileCounts(inspection)];
}

function analysisCounts(overview: Overview | null, { segments }: Inspection) {
  return [
    { name: "procedures", value: overview === null ? null : known(overview.procedure_count, overview.coverage) },
    { name: "strings", value: overview?.string_count ?? null },
    { name: "names", value: overview === null ? null : known(overview.name_count, overview.coverage) },
    { name: "segments", value: overview?.segment_count ?? segments?.items.length ?? null },
  ];
}

function fileCounts(inspection: Inspection) {
  return [
    { name: "sections", value: inspection.sections === undefined ? null : known(inspection.sections.items.length, inspection.sections.coverage) },
    ...(["imports", "exports", "symbols", "relocations"] as const).map((name) => {
      const table = inspection[name];
      return { name, value: table === undefined ? null : known(table.total, table.coverage) };
    }),
  ];
}

/** Nothing found in a table that could not be read to its end is not a count. */
function known(count: number | null, { state }: Coverage): number | null {
  return count === 0 && state !== "complete" ? null : count;
}

/** How much of the code the analysis has looked at; null without figures. */
export function codeCoverageSentence(overview: Overview | null): string | null {
  const figures = overview?.code_coverage;
  if (figures === undefined) return null;
  const { code_bytes, examined_code_bytes, examined_ppm, unresolved_indirect_jumps: jumps } = figures;
  if (examined_ppm === null) {
    const declared = overview?.segments.some(({ executable }) => executable === true) === true;
    return declared ? "The file declares code, but none of it can be read." : "The file declares no code.";
  }
  const bytes = `${grouped(examined_code_bytes)} of ${grouped(code_bytes)} bytes of code examined (${percent(examined_ppm)})`;
  return jumps === 0 ? `${bytes}.` : `${bytes}; ${grouped(jumps)} indirect jumps lead to unknown places.`;
}

/** `1234567` → `1,234,567`, the same in every locale. */
function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Rounded down, so that 100% means all of it. */
function percent(ppm: number): string {
  const tenths = Math.floor(ppm / 1000);
  return `${String(Math.floor(tenths / 10))}.${String(tenths % 10)}%`;
}

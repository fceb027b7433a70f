import type { Inspection } from "./inspection.js";

/** Whether the executable needs other libraries at run time, and what says so. */
export interface Linkage {
  readonly kind: "static" | "dynamic" | "unknown";
  readonly libraries: readonly string[];
  readonly basis: string;
}

/** From the libraries the file names and the loader it asks for. */
export function linkageOf({ header, libraries }: Pick<Inspection, "header" | "libraries">): Linkage {
  if (libraries === undefined) return { kind: "unknown", libraries: [], basis: "The libraries were not read." };
  const names = [...new Set(libraries.needed.map(({ name }) => name))];
  if (names.length > 0) return { kind: "dynamic", libraries: names, basis: neededText(names.length) };
  if (libraries.coverage.state !== "complete") {
    return { kind: "unknown", libraries: [], basis: "The list of needed libraries could not be read to its end." };
  }
  if ((header?.interpreter ?? null) !== null) return { kind: "dynamic", libraries: [], basis: "The file asks for a loader." };
  return { kind: "static", libraries: [], basis: "The file names no needed library and no loader." };
}

function neededText(count: number): string {
  return count === 1 ? "The file names one needed library." : `The file names ${String(count)} needed libraries.`;
}

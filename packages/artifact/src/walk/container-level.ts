import type { Entry, Format, InnerDeclarations, ReaderReport } from "../format.js";

/** How a container is gone through. */
export interface ContainerLevel {
  readonly depth: number;
  readonly countRest: boolean;
  readonly contentState: "materialized" | "embedded";
  readonly format?: Format;
  readonly inner?: InnerDeclarations | undefined;
}

/** What is said outside of the container goes to its members, and through compressors to what is in them. */
export function declaredOutside(entry: Entry, { format, inner }: ContainerLevel, report: ReaderReport): Entry {
  if (inner === undefined) return entry;
  if (format?.relation !== "extracts") return inner.entry(entry, report);
  return { ...(inner.extracted?.(entry) ?? entry), inner };
}

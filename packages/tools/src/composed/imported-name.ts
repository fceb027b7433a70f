import type { OperationResult } from "@rea/core";

type NameItem = OperationResult<"list_names">["items"][number];

/** Whether a name stands for something another file provides: a stub or a slot of an import. */
export function isImportedName({ symbol: { kind, library, source } }: NameItem): boolean {
  return library !== null || /import|external/.test(source) || /import|external/.test(kind ?? "");
}

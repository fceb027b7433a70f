import type { BundleChange, BundleComparison } from "@rea/core";
import { grouped } from "./figures.js";
import type { Style } from "./style.js";

const marks = { added: "+", removed: "-", changed: "~" } as const;

/** Two bundles for a person: how many records and unknowns differ, and which. */
export function bundleComparisonText({ status, summary, changes, limitations }: BundleComparison, style: Style): string {
  const records = `${grouped(summary.records_added)} added, ${grouped(summary.records_removed)} removed, ${grouped(summary.records_changed)} changed, ${grouped(summary.records_unchanged)} unchanged`;
  const unknowns = `${grouped(summary.unknowns_added)} added, ${grouped(summary.unknowns_removed)} removed, ${grouped(summary.unknowns_changed)} changed`;
  const lines = [
    style.heading(status === "unchanged" ? "The bundles hold the same" : "The bundles differ"),
    `records   ${records}`,
    `unknowns  ${unknowns}`,
    ...(summary.unresolved > 0 ? [style.warn(`${grouped(summary.unresolved)} linked records lie outside the bundles`)] : []),
    ...(changes.items.length === 0 ? [] : ["", ...changes.items.map((change) => changeLine(change, style))]),
    ...(changes.next_offset === null ? [] : [style.dim(`more: --offset ${String(changes.next_offset)}`)]),
    "",
    ...limitations.map((text) => style.dim(text)),
  ];
  return lines.map((line) => `${line.trimEnd()}\n`).join("");
}

function changeLine({ what, state, left, right, parts }: BundleChange, style: Style): string {
  const side = right ?? left;
  const name = side === null ? "" : "evidence_id" in side ? `${side.operation}  ${side.evidence_id}` : `${side.status}  ${side.unknown_id}`;
  const mark = state === "added" ? style.good(marks[state]) : state === "removed" ? style.bad(marks[state]) : style.warn(marks[state]);
  const detail = parts.length === 0 ? "" : style.dim(`  ${parts.join(", ")}`);
  return `${mark} ${what.padEnd(7)}  ${name}${detail}`;
}

import type { WebComparison } from "@rea/core";
import { grouped } from "./figures.js";
import type { Style } from "./style.js";

const verdicts = {
  unchanged: "Nothing has changed in what was captured.",
  changed: "The two captures differ.",
  unknown: "Whether something has changed is not known.",
} as const;
const signs = { added: "+", removed: "-", changed: "~", reordered: "↕", unknown: "?" } as const;
const shownChanges = 40;

/** A comparison of captures for a person: the verdict, each dimension and step in a line, the first changes. */
export function webComparisonText(found: WebComparison, style: Style): string {
  const { changes, steps } = found;
  const imported = (["left", "right"] as const).filter((_, index) => found.cited_records[index]?.origin === "imported");
  const shown = changes.items.slice(0, shownChanges);
  const lines = [
    style.heading(verdicts[found.status]),
    "",
    ...found.dimensions.map((one) => dimensionLine(one, style)),
    ...(steps.length === 0 ? [] : ["", ...steps.map((step) => stepLine(step, style))]),
    ...(shown.length === 0 ? [] : ["", ...shown.flatMap((change) => changeLines(change, style))]),
    ...(changes.total > shown.length ? [`… ${grouped(changes.total - shown.length)} more`] : []),
    "",
    ...(imported.length === 0 ? [] : [style.dim(`Not recorded by this session: ${imported.join(" and ")}.`)]),
    ...found.limitations.map((text) => style.dim(text)),
  ];
  return lines.map((line) => `${line.trimEnd()}\n`).join("");
}

function dimensionLine({ dimension, status, reason, left_items: left, right_items: right, added, removed, changed, unknown }: WebComparison["dimensions"][number], style: Style): string {
  const counts = left === right ? grouped(left) : `${grouped(left)} → ${grouped(right)}`;
  const parts = [[added, "added"], [removed, "removed"], [changed, "changed"], [unknown, "unknown"]] as const;
  const told = parts.flatMap(([count, word]) => (count === 0 ? [] : [`${grouped(count)} ${word}`]));
  const why = reason === null ? [] : [reason.replaceAll("_", " ")];
  return `  ${dimension.padEnd(14)} ${coloured(status, style)(status.padEnd(10))} ${style.dim([counts, ...told, ...why].join(", "))}`;
}

function stepLine({ step_id: id, sides, status, left_outcome: left, right_outcome: right, url, screenshot }: WebComparison["steps"][number], style: Style): string {
  const outcome = left === right ? (left ?? "") : `${left ?? "none"} → ${right ?? "none"}`;
  const extra = [sides === "both" ? "" : sides.replaceAll("_", " "), url === "changed" ? "other URL" : "", screenshot === "changed" ? "other picture" : ""].filter((part) => part !== "");
  return `  ${id.padEnd(14)} ${coloured(status, style)(status.padEnd(10))} ${style.dim([outcome.replaceAll("_", " "), ...extra].join(", "))}`;
}

function changeLines({ change, dimension, step_id: step, place, fields, left, right }: WebComparison["changes"]["items"][number], style: Style): string[] {
  const where = step === null ? dimension : `${step}, ${dimension}`;
  const head = `${signs[change]} ${where}: ${place}${fields.length === 0 ? "" : `  (${fields.join(", ")})`}`;
  const shown = change === "unknown" ? style.warn(head) : change === "added" ? style.good(head) : style.bad(head);
  if (change !== "changed") return [shown];
  return [shown, style.bad(`    - ${left ?? ""}`), style.good(`    + ${right ?? ""}`)];
}

function coloured(status: WebComparison["status"], style: Style): (text: string) => string {
  if (status === "unchanged") return (text) => style.good(text);
  return status === "unknown" ? (text) => style.warn(text) : (text) => style.bad(text);
}

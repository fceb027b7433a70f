import type { ComparedDimension, ProcessComparison, ProcessDifference, TraceSide } from "@rea/core";
import { grouped } from "./figures.js";
import type { Style } from "./style.js";

const words = {
  equivalent: "The two runs are equivalent.",
  different: "The two runs differ.",
  nonconforming: "At least one run does not conform to the specification.",
  unknown: "Whether the two runs are equivalent is not known.",
} as const;

const signs = { added: "+", removed: "-", changed: "~", unknown: "?", contradiction: "!" } as const;
const shownDivergences = 20;

/** A comparison for a person: the verdict, each dimension in a line, where the runs part first, and what is left open. */
export function processComparisonText(found: ProcessComparison, style: Style): string {
  const { divergences, first_divergence: first, residual_unknowns: open } = found;
  const more = divergences.total - Math.min(divergences.items.length, shownDivergences);
  const lines = [
    style.heading(words[found.verdict]),
    "",
    ...found.dimensions.map((one) => dimensionLine(one, style)),
    ...(first === null ? [] : ["", style.heading(`First divergence: ${first.dimension}, ${first.place}`), ...sideLines(first, style)]),
    ...(divergences.total > 1 ? ["", ...divergences.items.slice(0, shownDivergences).map((one) => differenceLine(one, style))] : []),
    ...(more > 0 && divergences.total > 1 ? [`… ${grouped(more)} more`] : []),
    ...(found.trace === null ? [] : ["", ...traceLines("left", found.trace.left, style), ...traceLines("right", found.trace.right, style)]),
    ...(open.length === 0 ? [] : ["", ...open.map(({ side, dimension, reason }) => style.warn(`? ${side}, ${dimension}: ${reason}`))]),
    "",
    ...originLines(found, style),
    ...new Set([...found.dimensions.flatMap(({ limitations }) => limitations), ...found.limitations].map((one) => style.dim(one))),
  ];
  return lines.map((line) => `${line.trimEnd()}\n`).join("");
}

/** Which sides this session did not record itself. */
function originLines({ cited_records }: ProcessComparison, style: Style): string[] {
  const sides = (["left", "right"] as const).filter((_, index) => cited_records[index]?.origin === "imported");
  return sides.length === 0 ? [] : [style.dim(`Imported: ${sides.join(" and ")}. A record's id says that it is unchanged, not who made it.`)];
}

function dimensionLine({ dimension, status, differences, left_count, right_count }: ComparedDimension, style: Style): string {
  const counts = left_count === right_count ? grouped(left_count) : `${grouped(left_count)} → ${grouped(right_count)}`;
  const more = differences > 0 ? `, ${grouped(differences)} ${differences === 1 ? "difference" : "differences"}` : "";
  return `  ${dimension.padEnd(12)} ${coloured(status, style)(status.padEnd(13))} ${style.dim(`${counts} compared${more}`)}`;
}

function coloured(status: ComparedDimension["status"], style: Style): (text: string) => string {
  if (status === "unchanged") return (text) => style.good(text);
  return status === "unknown" || status === "truncated" ? (text) => style.warn(text) : (text) => style.bad(text);
}

function sideLines({ left, right, fields }: ProcessDifference, style: Style): string[] {
  const what = fields.length === 0 ? [] : [style.dim(`  in ${fields.join(", ")}`)];
  return [...what, style.bad(`  - ${left ?? "(nothing)"}`), style.good(`  + ${right ?? "(nothing)"}`)];
}

function differenceLine({ state, dimension, place, fields }: ProcessDifference, style: Style): string {
  const text = `${signs[state]} ${dimension}: ${place}`;
  const shown = state === "unknown" ? style.warn(text) : state === "added" ? style.good(text) : style.bad(text);
  return fields.length === 0 ? shown : `${shown}  ${style.dim(fields.join(", "))}`;
}

function traceLines(side: string, { conformance, events, violations, violations_total }: TraceSide, style: Style): string[] {
  const head = `${side}: ${conformance}, ${grouped(events)} events of the specification`;
  const listed = violations.slice(0, shownDivergences).map(({ rule, event, other, capture_order }) => {
    const parts = [rule.replaceAll("_", " "), ...(event === null ? [] : [event]), ...(other === null ? [] : [`and ${other}`]), ...(capture_order === null ? [] : [`at entry ${grouped(capture_order)}`])];
    return style.bad(`  ! ${parts.join(" ")}`);
  });
  const more = violations_total - listed.length;
  return [conformance === "conforming" ? style.good(head) : style.warn(head), ...listed, ...(more > 0 ? [`  … ${grouped(more)} more`] : [])];
}

import type { ApplicationComparisonItem, ApplicationVersionComparison, ExportShapeComparison, Page, ShapeChange, SourceComparison } from "@rea/core";
import { grouped } from "./figures.js";
import type { Style } from "./style.js";

const signs = { unchanged: "=", added: "+", removed: "-", changed: "~", unknown: "?" } as const;
const words = { unchanged: "No difference.", changed: "They differ.", unknown: "Not everything could be compared." } as const;

/** Two versions of an application, as people read a diff. */
export function versionComparisonText(found: ApplicationVersionComparison, style: Style): string {
  const { items, summary, by_kind: kinds } = found;
  return text([
    style.heading(words[found.status]),
    ...items.items.map((item) => itemLine(item, style)),
    ...rest(items),
    "",
    countsLine(summary),
    ...kinds.map(({ kind, ...counts }) => style.dim(`  ${kind}: ${countsLine(counts)}`)),
    ...found.coverage.omissions.map(({ scope }) => style.warn(scope)),
    ...found.limitations.map((one) => style.dim(one)),
  ]);
}

function itemLine({ status, kind, left, right, basis, changes, reason, candidates }: ApplicationComparisonItem, style: Style): string {
  const [before, after] = [left?.name, right?.name];
  const name = before === undefined || after === undefined || before === after ? (after ?? before ?? "") : `${before} → ${after}`;
  const notes = [changes.join(", "), basis === null || basis === "node-id" || basis === "digest" ? "" : `by ${basis}`, reason ?? "", candidates === null ? "" : `${grouped(candidates.total)} candidates`];
  return `${coloured(status, style)(`${signs[status]} ${kind} ${name}`)}  ${style.dim(notes.filter((note) => note !== "").join("; "))}`;
}

const sourceSigns = { unchanged: "=", modified: "~", removed: "-", split: "/", merged: "&", duplicated: "*", unknown: "?" } as const;

/** Sources against what was shipped: a line for each file, with the best place it was recognised in. */
export function sourceComparisonText(found: SourceComparison, style: Style): string {
  const { files, summary, reference } = found;
  return text([
    style.heading(`${grouped(reference.compared)} of ${grouped(reference.files)} source files compared. ${words[found.status]}`),
    ...files.items.map(({ path, status, confidence, targets: [best], reason }) => {
      const notes = [best === undefined ? "" : `${best.kind} ${best.name} (${best.signals.map(({ signal }) => signal).join(", ")})`, confidence === "unknown" ? "" : `${confidence} confidence`, reason ?? ""];
      const colour = status === "modified" ? style.warn : status === "removed" ? style.bad : status === "unchanged" ? style.good : style.code;
      return `${colour(`${sourceSigns[status]} ${status.padEnd(10)} ${path}`)}  ${style.dim(notes.filter((note) => note !== "").join("; "))}`;
    }),
    ...rest(files),
    "",
    countsLine(summary),
    ...found.coverage.omissions.map(({ scope }) => style.warn(scope)),
    ...found.limitations.map((one) => style.dim(one)),
  ]);
}

/** What two modules export, variant by variant. */
export function exportComparisonText(found: ExportShapeComparison, style: Style): string {
  const side = ({ module_path, export_name, presence, kind, variants, reason }: ExportShapeComparison["left"]): string =>
    `${module_path} ${style.code(export_name)}: ${presence === "present" ? `${kind}, ${grouped(variants)} variants` : presence}${reason === null ? "" : `. ${reason}`}`;
  return text([
    style.heading(words[found.status]),
    `- ${side(found.left)}`,
    `+ ${side(found.right)}`,
    ...found.variants.flatMap(({ discriminant, left, right }, index) => [
      "",
      `${discriminant === null ? "variant" : `${discriminant.pointer} = ${discriminant.value}`}${left === right ? "" : `  (left ${left}, right ${right})`}`,
      ...found.changes.items.filter(({ variant }) => variant === index).map((change) => changeLine(change, style)),
    ]),
    ...(found.changes.truncated ? [`… ${grouped(found.changes.total - found.changes.returned)} more changes`] : []),
    "",
    ...found.coverage.omissions.map(({ scope }) => style.warn(scope)),
    ...found.limitations.map((one) => style.dim(one)),
  ]);
}

function changeLine({ pointer, left, right, left_value: before, right_value: after }: ShapeChange, style: Style): string {
  const value = (presence: string, token: string | null): string => token ?? presence;
  const line = `  ${pointer === "" ? "(the value)" : pointer}: ${value(left, before)} → ${value(right, after)}`;
  if (left === "absent") return style.good(line);
  return right === "absent" ? style.bad(line) : style.warn(line);
}

function coloured(status: ApplicationComparisonItem["status"], style: Style): (text: string) => string {
  if (status === "added") return (line) => style.good(line);
  if (status === "removed") return (line) => style.bad(line);
  return status === "unchanged" ? (line) => line : (line) => style.warn(line);
}

function countsLine(counts: { readonly [state: string]: number }): string {
  const said = Object.entries(counts).filter(([, count]) => count > 0);
  return said.length === 0 ? "nothing" : said.map(([state, count]) => `${grouped(count)} ${state}`).join(", ");
}

function rest({ total, next_offset }: Pick<Page<unknown>, "total" | "next_offset">): string[] {
  return next_offset === null || total === null ? [] : [`… ${grouped(total - next_offset)} more; continue with --offset ${String(next_offset)}`];
}

function text(lines: readonly string[]): string {
  return lines.map((line) => `${line.trimEnd()}\n`).join("");
}

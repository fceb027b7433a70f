import type { BinaryComparison, FunctionPlace } from "@rea/core";
import { grouped } from "./figures.js";
import type { Style } from "./style.js";

const shownChanges = 10;
const shownPlaces = 8;
const shownNames = 6;

export interface ComparedPaths {
  readonly left: string;
  readonly right: string;
}

/** Two versions of a program for a person: what changed most, with the command that shows each, then what came and went. */
export function binaryComparisonText(found: BinaryComparison, paths: ComparedPaths | undefined, style: Style): string {
  const { summary, changed, added, removed, limitations } = found;
  const counts = summary.functions;
  const lines = [
    style.heading(headline(found)),
    `functions  ${grouped(counts.unchanged)} unchanged, ${grouped(counts.changed)} changed, ${grouped(counts.added)} added, ${grouped(counts.removed)} removed${moved(counts)}`,
    style.dim(`matched by ${summary.matched_by.map(({ basis, count }) => `${basis.replaceAll("_", " ")} ${grouped(count)}`).join(", ") || "nothing"}`),
    ...(changed.items.length === 0 ? [] : ["", style.heading(`Most changed${counts.changed > shownChanges ? ` (${String(Math.min(shownChanges, changed.items.length))} of ${grouped(counts.changed)})` : ""}`)]),
    ...changed.items.slice(0, shownChanges).flatMap((change) => changeLines(change, paths, style)),
    ...placesLines("Added functions", added.items, counts.added, style),
    ...placesLines("Removed functions", removed.items, counts.removed, style),
    ...movedLines(found, style),
    ...fileLines(found, style),
    "",
    ...limitations.map((text) => style.dim(text)),
  ];
  return lines.map((line) => `${line.trimEnd()}\n`).join("");
}

function headline({ status, summary: { left, right } }: BinaryComparison): string {
  const sizes = left.bytes === right.bytes ? `${grouped(left.bytes)} bytes` : `${grouped(left.bytes)} → ${grouped(right.bytes)} bytes`;
  const what = [left.format, left.architecture].filter((word) => word !== null).join(" ");
  if (left.sha256 === right.sha256) return `The same file, ${what}, ${sizes}`;
  const verdict = { unchanged: "No difference found", changed: "They differ", unknown: "No difference found, but not everything was looked at" }[status];
  return `${verdict}: ${what}, ${sizes}`;
}

function moved({ split, merged }: BinaryComparison["summary"]["functions"]): string {
  return `${merged > 0 ? `, ${grouped(merged)} merged` : ""}${split > 0 ? `, ${grouped(split)} split` : ""}`;
}

function changeLines(change: BinaryComparison["changed"]["items"][number], paths: ComparedPaths | undefined, style: Style): string[] {
  const { left, right, similarity_permille: alike, instructions, parts, basis, confidence_permille: sure } = change;
  const size = instructions.left === instructions.right ? `${grouped(instructions.left)} instructions` : `${grouped(instructions.left)} → ${grouped(instructions.right)} instructions`;
  const certainty = basis === "name" || basis === "bytes" ? "" : `, matched by ${basis.replaceAll("_", " ")} (${String(Math.round(sure / 10))} %)`;
  return [
    `${style.warn("~")} ${nameOf(right)}  ${style.dim(left.address === right.address ? right.address : `${left.address} → ${right.address}`)}  ${parts.join(", ").replaceAll("_", " ")}`,
    style.dim(`    ${String(Math.round(alike / 10))} % alike, ${size}${certainty}`),
    ...(paths === undefined ? [] : [style.code(`    rea function ${quoted(paths.right)} ${right.address} --include-assembly`)]),
  ];
}

function placesLines(title: string, places: readonly FunctionPlace[], total: number, style: Style): string[] {
  if (total === 0) return [];
  const largest = [...places].sort((a, b) => b.size - a.size || (a.address < b.address ? -1 : 1)).slice(0, shownPlaces);
  const more = total - largest.length;
  return ["", style.heading(title), ...largest.map((place) => `  ${place.address}  ${nameOf(place)}  ${style.dim(`${grouped(place.size)} bytes`)}`), ...(more > 0 ? [style.dim(`  … ${grouped(more)} more`)] : [])];
}

function movedLines({ moved_code: { items, total } }: BinaryComparison, style: Style): string[] {
  if (items.length === 0) return [];
  const lines = items.slice(0, shownPlaces).map(({ kind, function: fn, other }) => `  ${nameOf(fn)} ${style.dim(fn.address)} ${kind.replaceAll("_", " ")} ${nameOf(other)} ${style.dim(other.address)}`);
  const more = (total ?? 0) - lines.length;
  return ["", style.heading("Code that seems to have moved"), ...lines, ...(more > 0 ? [style.dim(`  … ${grouped(more)} more`)] : [])];
}

function fileLines(found: BinaryComparison, style: Style): string[] {
  const lists = (["imports", "exports", "libraries", "strings"] as const).flatMap((kind) => listLines(kind, found[kind], style));
  const mitigations = found.mitigations.map(({ name, left, right }) => `${style.warn("~")} mitigation ${name}: ${left ?? "not said"} → ${right ?? "not said"}`);
  const sections = found.sections.map(({ name, state, left_size: before, right_size: after }) => {
    const size = before === after ? "same size" : `${before === null ? "–" : grouped(before)} → ${after === null ? "–" : grouped(after)}`;
    return `  ${state.padEnd(8)} ${name}  ${style.dim(size)}`;
  });
  return [
    ...(lists.length + mitigations.length > 0 ? ["", style.heading("Imports, exports, strings, mitigations"), ...lists, ...mitigations] : []),
    ...(sections.length > 0 ? ["", style.heading("Sections"), ...sections.slice(0, 16), ...(sections.length > 16 ? [style.dim(`  … ${grouped(sections.length - 16)} more`)] : [])] : []),
  ];
}

function listLines(kind: string, { added, removed }: BinaryComparison["imports"], style: Style): string[] {
  const line = (mark: string, { items, total }: BinaryComparison["imports"]["added"]): string[] => {
    if ((total ?? 0) === 0) return [];
    const names = items.slice(0, shownNames).map(excerpt);
    const more = (total ?? 0) - names.length;
    return [`${mark} ${grouped(total ?? 0)} ${kind}: ${names.join(", ")}${more > 0 ? style.dim(`, … ${grouped(more)} more`) : ""}`];
  };
  return [...line(style.good("+"), added), ...line(style.bad("-"), removed)];
}

function excerpt(text: string): string {
  const flat = text.replace(/\s+/gu, " ");
  return flat.length > 60 ? `${[...flat].slice(0, 59).join("")}…` : flat;
}

function nameOf({ name, demangled, address }: FunctionPlace): string {
  return demangled ?? name ?? `function at ${address}`;
}

function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/u.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}

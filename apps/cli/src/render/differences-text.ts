import { escapeUntrusted, type MemberDifference } from "@rea/core";
import { grouped } from "./figures.js";
import type { Style } from "./style.js";

/** Changed lines as a unified diff, changed bytes as ranges, one member after another. */
export function differencesText(found: readonly MemberDifference[], style: Style): string {
  return found.map((one) => `\n${style.heading(one.logicalPath)}\n${bodyOf(one, style)}`).join("");
}

function bodyOf(one: MemberDifference, style: Style): string {
  switch (one.kind) {
    case "text":
      return one.hunks.split("\n").slice(0, -1).map((line) => `${lineText(line, style)}\n`).join("");
    case "bytes":
      return rangesText(one, style);
    case "unknown":
      return `${style.dim(one.why)}\n`;
  }
}

/** Text of a target: controls are made visible, tabs stay. */
function lineText(line: string, style: Style): string {
  const shown = line.split("\t").map((part) => escapeUntrusted(part)).join("\t");
  if (line.startsWith("+")) return style.good(shown);
  if (line.startsWith("-")) return style.bad(shown);
  return line.startsWith("@") || line.startsWith("\\") ? style.dim(shown) : shown;
}

function rangesText({ ranges, total }: Extract<MemberDifference, { kind: "bytes" }>, style: Style): string {
  const lines = ranges.map(({ leftOffset, leftBytes, rightOffset, rightBytes }) => {
    const left = `0x${leftOffset.toString(16)} ${grouped(leftBytes)} bytes`;
    return leftOffset === rightOffset && leftBytes === rightBytes ? `  ${left}` : `  ${left} → 0x${rightOffset.toString(16)} ${grouped(rightBytes)} bytes`;
  });
  const more = total > ranges.length ? [style.dim(`  … ${grouped(total - ranges.length)} more ranges`)] : [];
  return [...lines, ...more].map((line) => `${line}\n`).join("");
}

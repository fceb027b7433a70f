import { escapeUntrusted, truncateCodePoints } from "@rea/core";

const contextLines = 3;
const widestLine = 240;

/** One hunk as `diff -u` writes it: what differs between two texts that have one changed region, with three lines around. */
export function lineDiff(before: string, after: string): string {
  const old = linesOf(before);
  const fresh = linesOf(after);
  let same = 0;
  while (same < old.length && same < fresh.length && old[same] === fresh[same]) same += 1;
  let tail = 0;
  while (tail < old.length - same && tail < fresh.length - same && old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]) tail += 1;
  const from = Math.max(0, same - contextLines);
  const oldEnd = Math.min(old.length, old.length - tail + contextLines);
  const freshEnd = Math.min(fresh.length, fresh.length - tail + contextLines);
  const cutAt = longPrefix(old[same], fresh[same]);
  const lines = [
    `@@ -${rangeOf(from, oldEnd)} +${rangeOf(from, freshEnd)} @@`,
    ...old.slice(from, same).map((line) => ` ${shown(line, 0)}`),
    ...old.slice(same, old.length - tail).map((line) => `-${shown(line, cutAt)}`),
    ...fresh.slice(same, fresh.length - tail).map((line) => `+${shown(line, cutAt)}`),
    ...fresh.slice(fresh.length - tail, freshEnd).map((line) => ` ${shown(line, 0)}`),
  ];
  return `${lines.join("\n")}\n`;
}

function linesOf(text: string): readonly string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

function rangeOf(from: number, end: number): string {
  return `${String(end > from ? from + 1 : from)},${String(end - from)}`;
}

/** Where two long lines begin to differ, less a little; 0 when they need not be cut. */
function longPrefix(old = "", fresh = ""): number {
  if (old.length <= widestLine && fresh.length <= widestLine) return 0;
  let same = 0;
  while (same < old.length && old.charAt(same) === fresh.charAt(same)) same += 1;
  return Math.max(0, same - 40);
}

function shown(line: string, from: number): string {
  const { text, truncated } = truncateCodePoints(line.slice(from).replace(/\r$/, ""), widestLine);
  return `${from > 0 ? "…" : ""}${escapeUntrusted(text)}${truncated ? "…" : ""}`;
}

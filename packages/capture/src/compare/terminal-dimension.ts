import { escapeUntrusted, type JsonObject } from "@rea/core";
import { stable, type CaptureView } from "./capture-view.js";
import { comparedItem, cutText, type ComparedItem, type FoundDifference } from "./compared-items.js";
import { compareSequences } from "./compare-sequences.js";
import { dimensionFinding, type DimensionFinding } from "./dimension-finding.js";

/**
 * The text that was written, then, where it is equal, the screens at checkpoints and at the end. How the text was cut into
 * frames is chance and not compared.
 */
export function compareTerminals(left: CaptureView, right: CaptureView): DimensionFinding {
  const [a, b] = [textOf(left), textOf(right)];
  const [cutA, cutB] = [isCut(left), isCut(right)];
  const at = firstDifference(a, b);
  // A text that was cut before the other went on denies nothing.
  const lacking = at !== undefined && ((cutA && at === a.length) || (cutB && at === b.length));
  const difference = at === undefined || lacking ? undefined : textDifference({ left, right, a, b }, at);
  const [screensA, screensB] = [screensOf(left), screensOf(right)];
  const screens = at === undefined ? compareSequences({ left: screensA, right: screensB, collection: "rendered_frames", cut: { left: false, right: false } }) : [];
  return dimensionFinding({
    dimension: "terminal",
    differences: difference === undefined ? screens : [difference],
    left: [a, ...screensA.map(({ text }) => text)],
    right: [b, ...screensB.map(({ text }) => text)],
    truncated: cutA || cutB,
    limitations: [...left.omissionsOf(["frames", "terminal"]), ...right.omissionsOf(["frames", "terminal"])],
  });
}

function textOf({ capture }: CaptureView): string {
  return stable(capture.normalized_terminal.text);
}

function isCut(view: CaptureView): boolean {
  return view.capture.normalized_terminal.truncated || view.omissionsOf(["frames", "terminal"]).length > 0;
}

/** Those that two equal runs have in common; the others show a moment of the clock. */
function screensOf({ capture, orderOf }: CaptureView): ComparedItem[] {
  return capture.rendered_frames.flatMap(({ trigger, checkpoint, columns, rows, cursor, buffer, lines, normalized_lines }, index) => {
    if (trigger !== "checkpoint" && trigger !== "final") return [];
    const view: JsonObject = { trigger, checkpoint, columns, rows, cursor, buffer, lines: (normalized_lines ?? lines).map(stable) };
    return [comparedItem(view, orderOf("rendered_frames", index))];
  });
}

function firstDifference(a: string, b: string): number | undefined {
  if (a === b) return undefined;
  const shorter = Math.min(a.length, b.length);
  let at = 0;
  while (at < shorter && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  return at;
}

interface Texts {
  readonly left: CaptureView;
  readonly right: CaptureView;
  readonly a: string;
  readonly b: string;
}

function textDifference({ left, right, a, b }: Texts, at: number): FoundDifference {
  const line = count(a.slice(0, at), "\n");
  const column = at - (a.lastIndexOf("\n", at - 1) + 1);
  return {
    state: at === a.length ? "added" : at === b.length ? "removed" : "changed",
    collection: "frames",
    place: `line ${String(line + 1)}, column ${String(column + 1)}`,
    fields: ["text"],
    left: excerptAt(a, at),
    right: excerptAt(b, at),
    left_order: frameOrder(left, line, column),
    right_order: frameOrder(right, line, column),
  };
}

/** What follows the difference in its line, with a little before it; null at the end of the text. */
function excerptAt(text: string, at: number): string | null {
  if (at >= text.length) return null;
  const start = Math.max(text.lastIndexOf("\n", at - 1) + 1, at - 40);
  const end = text.indexOf("\n", at);
  return visible(cutText(text.slice(start, end < 0 ? undefined : end), 120));
}

/** Text that is still as the program wrote it is made safe to show. */
function visible(text: string): string {
  return /[\0-\x08\x0b-\x1f\x7f-\x9f]|\p{Surrogate}/u.test(text) ? escapeUntrusted(text) : text;
}

/** The frame that brought a place of the text: lines are the same before and after normalisation, columns nearly so. */
function frameOrder({ capture, orderOf }: CaptureView, line: number, column: number): number | null {
  let lines = 0;
  let columns = 0;
  for (const [index, { data_base64 }] of capture.frames.entries()) {
    for (const byte of Buffer.from(data_base64, "base64")) {
      if (lines === line && (columns === column || byte === 0x0a)) return orderOf("frames", index);
      if (byte === 0x0a) {
        lines += 1;
        columns = 0;
      } else if ((byte & 0xc0) !== 0x80) columns += 1;
    }
  }
  return capture.frames.length === 0 ? null : orderOf("frames", capture.frames.length - 1);
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}

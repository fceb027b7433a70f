import type { ProcessCaptureSummary } from "@rea/core";
import { grouped } from "./figures.js";
import type { Style } from "./style.js";

const shownEffects = 40;
const shownProcesses = 40;
const marks = { created: "+", modified: "~", deleted: "-", unknown: "?" } as const;

/** What a captured program did, for a person: how it ended, what it started, what it touched, what it showed last. */
export function captureText(summary: ProcessCaptureSummary, style: Style): string {
  const sections = [
    headText(summary, style),
    processesText(summary, style),
    filesText(summary, style),
    connectionsText(summary, style),
    callsText(summary, style),
    screenText(summary, style),
    remarksText(summary, style),
  ];
  return sections.filter((section) => section !== "").join("\n");
}

function headText({ executable, exit, settlement, cleanup, output, interactions, capture }: ProcessCaptureSummary, style: Style): string {
  const lines = [
    `${style.heading(executable.name)} ${exitText(exit, style)} after ${durationText(exit.at_ms)}`,
    `  settled    ${settledText(settlement)}`,
    `  cleanup    ${cleanupText(cleanup, style)}`,
    `  output     ${grouped(output.bytes)} bytes${output.truncated ? style.warn(" (more was written than was kept)") : ""}`,
  ];
  const acted = interactions.dispatched + interactions.target_exited + interactions.failed;
  if (acted > 0) lines.push(`  input      ${String(interactions.dispatched)} of ${String(acted)} events reached the program`);
  lines.push(style.dim(`  capture    sha256 ${capture.sha256}, ${grouped(capture.bytes)} bytes`));
  return lines.map((line) => `${line}\n`).join("");
}

function exitText({ code, signal, reason }: ProcessCaptureSummary["exit"], style: Style): string {
  if (reason === "timeout") return style.bad("was ended at its time limit");
  if (reason === "idle_timeout") return style.bad("was ended because it wrote nothing any more");
  if (signal !== null) return style.bad(`was ended by ${signal}`);
  return code === 0 ? style.good("exited with 0") : style.bad(`exited with ${code === null ? "an unknown status" : String(code)}`);
}

function durationText(ms: number): string {
  return ms < 1000 ? `${String(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function settledText({ state, elapsed_ms }: ProcessCaptureSummary["settlement"]): string {
  if (state === "quiesced") return `nothing was left alive after ${String(elapsed_ms)} ms`;
  return state === "alive_at_deadline" ? "processes were still alive when the capture ended" : "cannot be told: the process table could not be read";
}

function cleanupText({ state, ownership_proof, resources }: ProcessCaptureSummary["cleanup"], style: Style): string {
  if (state === "proven") return `${style.good("proven")} by ${ownership_proof}`;
  const left = resources.map(({ kind, detail }) => (detail.pid === undefined ? kind : `pid ${String(detail.pid)} (${detail.reason})`));
  const what = left.length === 0 ? "" : `; left: ${left.join(", ")}`;
  return style.bad(`${state} (${ownership_proof})${what}`);
}

function processesText({ processes }: ProcessCaptureSummary, style: Style): string {
  const lines = processes.items.slice(0, shownProcesses).map(({ depth, pid, program, arguments: args, source }) => {
    const command = args === null ? (program ?? "(unknown program)") : args.join(" ");
    return `  ${"  ".repeat(Math.min(depth, 12))}${oneLine(command)} ${style.dim(`${String(pid)}${source === "traced" ? ", traced" : ""}`)}`;
  });
  const more = processes.total - lines.length;
  if (more > 0) lines.push(style.dim(`  … ${grouped(more)} more processes`));
  return section(`Processes (${grouped(processes.total)})`, lines, style);
}

function filesText({ filesystem: { roots, effects, created, modified, deleted, unknown, unchanged } }: ProcessCaptureSummary, style: Style): string {
  if (roots.length === 0) return "";
  const partial = roots.some(({ state }) => state === "partial" || state === "unreadable");
  const title = `Files: ${grouped(created)} created, ${grouped(modified)} modified, ${grouped(deleted)} deleted${unknown > 0 ? `, ${grouped(unknown)} unknown` : ""}`;
  const folded = foldedEffects(effects.items);
  const lines = folded.slice(0, shownEffects).map(({ effect: { effect, path, root, after }, inside }) => {
    const where = roots.length === 1 ? path : `${String(root)}: ${path}`;
    const size = effect !== "deleted" && after?.bytes !== null && after?.bytes !== undefined ? style.dim(` ${grouped(after.bytes)} bytes`) : "";
    return `  ${markText(effect, style)} ${where}${after?.kind === "directory" ? "/" : ""}${size}${inside > 0 ? style.dim(` and ${grouped(inside)} inside`) : ""}`;
  });
  const more = folded.length - lines.length;
  if (more > 0) lines.push(style.dim(`  … ${grouped(more)} more`));
  if (effects.truncated) lines.push(style.dim(`  ${grouped(effects.total - effects.returned)} more effects are in the capture`));
  if (lines.length === 0 && !partial) lines.push(style.dim(`  ${grouped(unchanged)} looked at, all unchanged`));
  if (partial) lines.push(style.warn("  Not everything was looked at."));
  return section(title, lines, style);
}

type Effect = ProcessCaptureSummary["filesystem"]["effects"]["items"][number];

/** What was created or deleted with its directory is told with the directory. Effects come in order of their paths. */
function foldedEffects(effects: readonly Effect[]): readonly { readonly effect: Effect; readonly inside: number }[] {
  const folded: { readonly effect: Effect; inside: number }[] = [];
  for (const effect of effects) {
    const above = folded.findLast((each) => each.effect.root === effect.root && effect.path.startsWith(`${each.effect.path}/`));
    if (above !== undefined && above.effect.effect === effect.effect && effect.effect !== "modified") above.inside += 1;
    else folded.push({ effect, inside: 0 });
  }
  return folded;
}

function markText(effect: keyof typeof marks, style: Style): string {
  if (effect === "created") return style.good(marks.created);
  if (effect === "deleted") return style.bad(marks.deleted);
  return style.warn(marks[effect]);
}

function connectionsText({ connections, protocol }: ProcessCaptureSummary, style: Style): string {
  const lines = connections.items.map(({ kind, address, result, times }) => {
    const outcome = result === null || result === "ok" ? "" : ` ${style.warn(result)}`;
    return `  ${kind === "listen" ? "listens on" : "connects to"} ${oneLine(address)}${outcome}${times > 1 ? style.dim(` ${String(times)} times`) : ""}`;
  });
  if (protocol.events > 0) lines.push(`  ${grouped(protocol.events)} events at the loopback servers, ${grouped(protocol.refused)} of them not as scripted`);
  return lines.length === 0 ? "" : section("Connections", lines, style);
}

function callsText({ shim_calls: calls }: ProcessCaptureSummary, style: Style): string {
  const lines = calls.items.map(({ name, arguments: args, outcome, exit_code, signal }) => {
    const ended = signal ?? (exit_code === null ? "" : String(exit_code));
    return `  ${oneLine([name, ...args].join(" "))} → ${outcome === "matched" ? ended : style.warn(`${outcome}, ${ended}`)}`;
  });
  return lines.length === 0 ? "" : section(`Command shims (${grouped(calls.total)} calls)`, lines, style);
}

function screenText({ screens }: ProcessCaptureSummary, style: Style): string {
  return screens.items
    .filter(({ lines }) => lines.length > 0)
    .map(({ checkpoint, columns, rows, lines }) => {
      const title = checkpoint === null ? "Last screen" : `Screen at ${checkpoint}`;
      return section(`${title} ${style.dim(`${String(columns)}×${String(rows)}`)}`, lines.map((line) => `  ${style.dim("│")} ${line}`), style);
    })
    .join("\n");
}

function remarksText({ limitations, coverage }: ProcessCaptureSummary, style: Style): string {
  const left = coverage.omissions.map(({ scope, reason, count }) => `${scope}: ${reason}${count === null ? "" : ` (${grouped(count)})`}`);
  const lines = [...left.map((line) => style.warn(`  left out: ${line}`)), ...limitations.map((line) => style.dim(`  ${line}`))];
  return lines.length === 0 ? "" : section("Remarks", lines, style);
}

function section(title: string, lines: readonly string[], style: Style): string {
  return [style.heading(title), ...lines].map((line) => `${line}\n`).join("");
}

function oneLine(text: string): string {
  const characters = [...text];
  return characters.length <= 160 ? text : `${characters.slice(0, 159).join("")}…`;
}

import { canonicalDigestOfWhole, type ProcessCapture, type ProcessCaptureSummary, type RetainedWhole } from "@rea/core";
import { processTree } from "./process-tree.js";

/** Most that a page shows of each list; the whole has all of it. */
const shown = { processes: 100, effects: 200, connections: 100, shimCalls: 50, screens: 12 };

/** A capture as it is retained. */
export function wholeOf(capture: ProcessCapture): RetainedWhole {
  return { kind: "capture", ...canonicalDigestOfWhole(capture), content: capture };
}

/** A readable page about a capture. */
export function summarize(capture: ProcessCapture, whole: RetainedWhole): ProcessCaptureSummary {
  const { manifest, frames, exit, settlement, coverage, limitations, residual_unknowns, cleanup } = capture;
  return {
    capture: { sha256: whole.sha256, bytes: whole.bytes },
    executable: manifest.executable,
    started_at: manifest.started_at,
    ended_at: manifest.ended_at,
    commitments: manifest.commitments,
    exit,
    settlement,
    processes: bounded(processTree(capture), shown.processes),
    filesystem: filesystemOf(capture),
    connections: bounded(connectionsOf(capture), shown.connections),
    shim_calls: bounded(capture.shim_events, shown.shimCalls),
    protocol: {
      events: capture.protocol_events.length,
      refused: capture.protocol_events.filter(({ outcome }) => outcome !== null && outcome !== "matched").length,
    },
    interactions: interactionsOf(capture),
    reactive: reactiveOf(capture),
    output: {
      bytes: frames.reduce((sum, { data_base64 }) => sum + Buffer.byteLength(data_base64, "base64"), 0),
      frames: frames.length,
      truncated: capture.normalized_terminal.truncated,
    },
    screens: screensOf(capture),
    journal_entries: capture.event_journal.length,
    coverage,
    limitations,
    residual_unknowns,
    cleanup,
  };
}

function bounded<T>(all: readonly T[], maximum: number) {
  const items = all.slice(0, maximum);
  return { items, returned: items.length, total: all.length, truncated: items.length < all.length };
}

function filesystemOf({ filesystem_checkpoints: looks, filesystem_effects: effects, filesystem_unchanged }: ProcessCapture): ProcessCaptureSummary["filesystem"] {
  const counted = (effect: (typeof effects)[number]["effect"]): number => effects.filter((each) => each.effect === effect).length;
  return {
    roots: (looks.at(-1)?.roots ?? []).map(({ root, state, entries }) => ({ root, state, entries })),
    created: counted("created"),
    modified: counted("modified"),
    deleted: counted("deleted"),
    unknown: counted("unknown"),
    unchanged: filesystem_unchanged,
    effects: bounded(effects, shown.effects),
  };
}

function connectionsOf({ syscall_events: events }: ProcessCapture): ProcessCaptureSummary["connections"]["items"] {
  const found = new Map<string, ProcessCaptureSummary["connections"]["items"][number]>();
  for (const { kind, address, result } of events) {
    if ((kind !== "connect" && kind !== "listen") || address === null) continue;
    const key = JSON.stringify([kind, address, result]);
    found.set(key, { kind, address, result, times: (found.get(key)?.times ?? 0) + 1 });
  }
  return [...found.values()];
}

function interactionsOf({ interaction_events: events }: ProcessCapture): ProcessCaptureSummary["interactions"] {
  const counted = (outcome: (typeof events)[number]["outcome"]): number => events.filter((event) => event.outcome === outcome).length;
  return { dispatched: counted("dispatched"), target_exited: counted("target_exited"), failed: counted("failed") };
}

function reactiveOf({ reactive_run: run }: ProcessCapture): ProcessCaptureSummary["reactive"] {
  if (run === null) return null;
  return { outcome: run.outcome, final_state: run.final_state, transitions: run.records.filter(({ kind }) => kind === "transition").length };
}

/** The last one always; it says how it ended. */
function screensOf({ rendered_frames: frames }: ProcessCapture): ProcessCaptureSummary["screens"] {
  const wanted = frames.filter(({ trigger }) => trigger === "checkpoint" || trigger === "final");
  const items = [...wanted.slice(0, -1).slice(0, shown.screens - 1), ...wanted.slice(-1)];
  const trimmed = items.map(({ at_ms, trigger, checkpoint, columns, rows, cursor, buffer, lines }) => ({
    at_ms,
    trigger,
    checkpoint,
    columns,
    rows,
    cursor,
    buffer,
    lines: lines.slice(0, lines.findLastIndex((line) => line !== "") + 1),
  }));
  return { items: trimmed, returned: trimmed.length, total: wanted.length, truncated: trimmed.length < wanted.length };
}

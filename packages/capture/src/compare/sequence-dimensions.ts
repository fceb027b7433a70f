import type { CaptureDimension, JournalCollection, JsonObject } from "@rea/core";
import { normalizedFields, type CaptureView } from "./capture-view.js";
import { comparedItem, type ComparedItem, type FoundDifference } from "./compared-items.js";
import { compareSequences, lacksEnd } from "./compare-sequences.js";
import { dimensionFinding, type DimensionFinding } from "./dimension-finding.js";

interface SequencePart {
  readonly collection: JournalCollection;
  readonly items: (view: CaptureView) => readonly ComparedItem[];
  /** Scopes of omissions that cut it. */
  readonly scopes: readonly string[];
}

/** What was done to the program: inputs, sizes and signals, and what a reactive scenario decided. When is not compared. */
export function compareInteractions(left: CaptureView, right: CaptureView): DimensionFinding {
  return compareParts("interaction", { left, right }, [
    { collection: "interaction_events", items: (view) => view.items("interaction_events", ["at_ms"]), scopes: ["interaction events", "interaction_events"] },
    { collection: "reactive_run", items: reactiveItems, scopes: ["reactive run", "reactive_run"] },
  ]);
}

/** How it ended, and whether it came to rest. */
export function compareExits(left: CaptureView, right: CaptureView): DimensionFinding {
  return compareParts("exit", { left, right }, [
    { collection: "exit", items: exitItems, scopes: [] },
    { collection: "settlement", items: settlementItems, scopes: [] },
  ], [...exitContradictions(left, "left"), ...exitContradictions(right, "right")]);
}

/** What it said to the loopback servers, connection by connection, and the way a machine took. */
export function compareProtocols(left: CaptureView, right: CaptureView): DimensionFinding {
  return compareParts("protocol", { left, right }, [
    { collection: "protocol_events", items: protocolItems, scopes: ["protocol events", "protocol_events"] },
    { collection: "replay_transitions", items: (view) => view.items("replay_transitions", ["at_ms"]), scopes: ["replay transitions", "replay_transitions", "protocol events", "protocol_events"] },
  ]);
}

/** Calls of command shims, in order. */
export function compareShims(left: CaptureView, right: CaptureView): DimensionFinding {
  return compareParts("shim", { left, right }, [
    { collection: "shim_events", items: (view) => view.items("shim_events", ["at_ms"]), scopes: ["shim events", "shim_events", "shims"] },
  ]);
}

function compareParts(dimension: CaptureDimension, { left, right }: { readonly left: CaptureView; readonly right: CaptureView }, parts: readonly SequencePart[], contradictions: readonly FoundDifference[] = []): DimensionFinding {
  const compared = parts.map(({ collection, items, scopes }) => {
    const cut = { left: left.omissionsOf(scopes).length > 0, right: right.omissionsOf(scopes).length > 0 };
    return { collection, left: items(left), right: items(right), cut };
  });
  const scopes = parts.flatMap((part) => part.scopes);
  return dimensionFinding({
    dimension,
    differences: [...contradictions, ...compared.flatMap(compareSequences)],
    left: compared.flatMap((sides) => sides.left.map(({ text }) => text)),
    right: compared.flatMap((sides) => sides.right.map(({ text }) => text)),
    truncated: compared.some(lacksEnd),
    limitations: [...left.omissionsOf(scopes), ...right.omissionsOf(scopes)],
  });
}

function reactiveItems({ capture, orderOf }: CaptureView): ComparedItem[] {
  const run = capture.reactive_run;
  if (run === null) return [];
  const records = run.records.map((record, index) => {
    const view: JsonObject = { ...record, at_ms: 0, ...(record.kind === "control" ? { after_capture_order: 0 } : {}) };
    return comparedItem(view, orderOf("reactive_run", index));
  });
  return [...records, comparedItem({ outcome: run.outcome, final_state: run.final_state }, records.at(-1)?.order ?? null)];
}

function exitItems({ capture: { exit }, orderOf }: CaptureView): ComparedItem[] {
  return [comparedItem({ code: exit.code, signal: exit.signal, reason: exit.reason }, orderOf("exit", 0))];
}

function settlementItems({ capture, orderOf }: CaptureView): ComparedItem[] {
  return [comparedItem({ state: capture.settlement.state }, orderOf("settlement", 0))];
}

/** Nothing ends both ways. */
function exitContradictions({ capture: { exit }, orderOf }: CaptureView, side: "left" | "right"): FoundDifference[] {
  if (exit.code === null || exit.signal === null) return [];
  const order = orderOf("exit", 0);
  const text = JSON.stringify({ code: exit.code, signal: exit.signal });
  return [
    {
      state: "contradiction",
      collection: "exit",
      place: "exit",
      fields: ["code", "signal"],
      left: side === "left" ? text : null,
      right: side === "right" ? text : null,
      left_order: side === "left" ? order : null,
      right_order: side === "right" ? order : null,
    },
  ];
}

/** Connections may overlap by chance; within one the order is the program's. */
function protocolItems({ capture, orderOf, normalized }: CaptureView): ComparedItem[] {
  return capture.protocol_events
    .map((event, index) => ({ event, index }))
    .sort((a, b) => a.event.connection - b.event.connection || a.index - b.index)
    .map(({ event: { at_ms: _, ...view }, index }) => comparedItem(normalizedFields(view, normalized), orderOf("protocol_events", index)));
}

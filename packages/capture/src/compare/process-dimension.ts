import { normalizedFields, type CaptureView } from "./capture-view.js";
import { comparedItem, type ComparedItem } from "./compared-items.js";
import { compareSets } from "./compare-sets.js";
import { dimensionFinding, type DimensionFinding } from "./dimension-finding.js";
import { compareSeen, seenProcesses } from "./sampled-processes.js";

const sampleScopes = ["processes", "process samples", "process_samples"];
const traceScopes = ["syscalls", "syscall events", "syscall_events", "system calls"];

/**
 * Which programs ran under which, with what arguments. Where both runs were traced: every successful exec, connect and
 * listen, which misses nothing. Else what sampling saw, which can miss what lives shortly.
 */
export function compareProcesses(left: CaptureView, right: CaptureView): DimensionFinding {
  return left.capture.manifest.comparison_contract.trace === "syscalls" ? compareTraced(left, right) : compareSampled(left, right);
}

function compareSampled(left: CaptureView, right: CaptureView): DimensionFinding {
  const [a, b] = [seenProcesses(left), seenProcesses(right)];
  const omissions = [...left.omissionsOf(sampleScopes), ...right.omissionsOf(sampleScopes)];
  return dimensionFinding({
    dimension: "process",
    differences: compareSeen(a, b),
    left: a.map(({ lineage, item }) => `${lineage} ${item.text}`),
    right: b.map(({ lineage, item }) => `${lineage} ${item.text}`),
    truncated: omissions.length > 0,
    limitations: ["Sampling can miss processes that live shortly.", ...omissions],
  });
}

function compareTraced(left: CaptureView, right: CaptureView): DimensionFinding {
  const [a, b] = [callsOf(left), callsOf(right)];
  const [omittedA, omittedB] = [left.omissionsOf(traceScopes), right.omissionsOf(traceScopes)];
  const denies = { left: () => omittedA.length === 0, right: () => omittedB.length === 0 };
  return dimensionFinding({
    dimension: "process",
    differences: compareSets({ left: a, right: b, collection: "syscall_events", denies, isUnknown: () => false }),
    left: [...a.keys()].sort(),
    right: [...b.keys()].sort(),
    truncated: omittedA.length + omittedB.length > 0,
    limitations: [...omittedA, ...omittedB],
  });
}

/** Each different call once: how often a program repeats one may depend on time. */
function callsOf({ capture, orderOf, normalized }: CaptureView): ReadonlyMap<string, ComparedItem> {
  const items = new Map<string, ComparedItem>();
  for (const [index, { kind, path, arguments: given, address, result }] of capture.syscall_events.entries()) {
    if (result !== "ok" || (kind !== "exec" && kind !== "connect" && kind !== "listen")) continue;
    const item = comparedItem(normalizedFields({ kind, path, arguments: given, address }, normalized), orderOf("syscall_events", index));
    if (!items.has(item.text)) items.set(item.text, item);
  }
  return items;
}

import type { ProcessCapture, ProcessCaptureSummary, SampledProcess } from "@rea/core";

export type TreeProcess = ProcessCaptureSummary["processes"]["items"][number];

interface Node {
  readonly key: string;
  readonly process: number | null;
  readonly pid: number;
  parent: string | null;
  parentPid: number | null;
  program: string | null;
  arguments: readonly string[] | null;
}

/** All processes of a capture, each below its parent, in order of first sight: those of the samples, and those that only the tracer saw. */
export function processTree(capture: ProcessCapture): TreeProcess[] {
  const nodes = new Map<string, Node>();
  for (const sample of capture.process_samples) {
    for (const each of sample.appeared) nodes.set(sampledKey(each.process), nodeOf(each));
    for (const { process, program, arguments: args } of sample.became) {
      const node = nodes.get(sampledKey(process));
      if (node !== undefined) Object.assign(node, { program, arguments: args });
    }
  }
  addTraced(nodes, capture.syscall_events);
  return ordered([...nodes.values()]);
}

function nodeOf({ process, parent, pid, parent_pid, program, arguments: args }: SampledProcess): Node {
  return { key: sampledKey(process), process, pid, parent: parent === null ? null : sampledKey(parent), parentPid: parent_pid, program, arguments: args };
}

function addTraced(nodes: Map<string, Node>, events: ProcessCapture["syscall_events"]): void {
  const sampled = new Map(events.flatMap(({ pid, process }) => (process === null ? [] : [[pid, sampledKey(process)] as const])));
  const keyOf = (pid: number): string => sampled.get(pid) ?? `traced:${String(pid)}`;
  for (const { pid, kind, child_pid, path, arguments: args, result } of events) {
    const key = keyOf(pid);
    const node = nodes.get(key) ?? tracedNode(nodes, key, pid);
    if (kind === "fork" && child_pid !== null) {
      const child = nodes.get(keyOf(child_pid)) ?? tracedNode(nodes, keyOf(child_pid), child_pid);
      child.parent ??= node.key;
      child.parentPid ??= pid;
      // Until it runs another program it is its parent's.
      child.program ??= node.program;
      child.arguments ??= node.arguments;
    }
    if (kind === "exec" && result === "ok" && (node.process === null || node.program === null)) Object.assign(node, { program: path, arguments: args });
  }
}

function tracedNode(nodes: Map<string, Node>, key: string, pid: number): Node {
  const node: Node = { key, process: null, pid, parent: null, parentPid: null, program: null, arguments: null };
  nodes.set(key, node);
  return node;
}

function ordered(nodes: readonly Node[]): TreeProcess[] {
  const known = new Set(nodes.map(({ key }) => key));
  const children = new Map<string | null, Node[]>();
  for (const node of nodes) {
    const parent = node.parent !== null && known.has(node.parent) && node.parent !== node.key ? node.parent : null;
    children.set(parent, [...(children.get(parent) ?? []), node]);
  }
  const tree: TreeProcess[] = [];
  const open: { readonly node: Node; readonly depth: number }[] = (children.get(null) ?? []).map((node) => ({ node, depth: 0 })).reverse();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next;
    const { process, pid, parentPid, program, arguments: args } = node;
    tree.push({ process, pid, parent_pid: parentPid, depth, program, arguments: args === null ? null : [...args], source: process === null ? "traced" : "sampled" });
    open.push(...(children.get(node.key) ?? []).map((child) => ({ node: child, depth: depth + 1 })).reverse());
  }
  return tree;
}

function sampledKey(process: number): string {
  return `sampled:${String(process)}`;
}

import { processCaptureSummarySchema, type Evidence, type ProcessCaptureSummary } from "@rea/core";
import { escapeHtml } from "./html.js";
import { count, verdict, type PageTable } from "./page-parts.js";

/** What a captured run did: how it ended, its processes as a tree, its files and connections, and its last screen. */
export function runTables({ normalized_result: result }: Evidence): PageTable[] {
  const parsed = processCaptureSummarySchema.safeParse(result);
  if (!parsed.success) return [];
  const run = parsed.data;
  const { processes, filesystem, connections, screens } = run;
  const last = screens.items.at(-1);
  const lines = last?.lines.join("\n") ?? "";
  return [
    { heading: `Run of ${run.executable.name}`, columns: ["What", "How"], rows: facts(run) },
    {
      heading: `Processes${cut(processes)}`,
      columns: ["Process", "Pid", "Seen by"],
      rows: processes.items.map(({ depth, program, arguments: given, pid, source }) => [`${"\u00a0".repeat(4 * depth)}${escapeHtml(given === null ? (program ?? "?") : given.join(" "))}`, String(pid), escapeHtml(source)]),
    },
    { heading: `Files${cut(filesystem.effects)}`, columns: ["Path", "Effect"], rows: filesystem.effects.items.map(({ path, effect }) => [escapeHtml(path), escapeHtml(effect)]) },
    { heading: `Connections${cut(connections)}`, columns: ["Kind", "Address", "Result", "Times"], rows: connections.items.map(({ kind, address, result: outcome, times }) => [kind, escapeHtml(address), escapeHtml(outcome ?? ""), count(times)]) },
    { heading: "Last screen", columns: [`${count(last?.columns ?? 0)} by ${count(last?.rows ?? 0)} characters`], rows: lines === "" ? [] : [[`<pre>${escapeHtml(lines)}</pre>`]] },
  ];
}

function facts({ exit, settlement, cleanup, filesystem, output }: ProcessCaptureSummary): string[][] {
  const { created, modified, deleted, unknown } = filesystem;
  const ending = exit.signal === null ? `exit code ${String(exit.code)}` : `signal ${exit.signal}`;
  return [
    ["End", escapeHtml(`${exit.reason.replaceAll("_", " ")}, ${ending}`)],
    ["Settled", escapeHtml(settlement.state.replaceAll("_", " "))],
    ["Cleanup", `${verdict(cleanup.state)} by ${escapeHtml(cleanup.ownership_proof)}`],
    ["Output", `${count(output.bytes)} bytes${output.truncated ? ", cut" : ""}`],
    ["Files", `${count(created)} created, ${count(modified)} modified, ${count(deleted)} deleted, ${count(unknown)} not settled`],
  ];
}

function cut({ returned, total }: { readonly returned: number; readonly total: number }): string {
  return returned < total ? ` (first ${count(returned)} of ${count(total)})` : "";
}

import type { Authority } from "@rea/core";

/** Producers whose records are not about files (contract 01 §1). */
const byProducer = new Map<string, Authority>([
  ["rea-process-capture", "runtime-observation"],
  ["rea-cdp-browser", "runtime-observation"],
  ["rea-browser-scenario", "runtime-observation"],
  ["rea-cdp-electron", "runtime-observation"],
  ["rea-electron-scenario", "runtime-observation"],
  ["rea-v8-inspector", "runtime-observation"],
  ["rea-javascript-replay", "controlled-replay"],
]);

/** Tools that read or write what an analyst said, and replays; these win over the producer. */
const byTool = new Map<string, Authority>([
  ["comment", "analyst-inference"],
  ["inline_comment", "analyst-inference"],
  ["list_bookmarks", "analyst-inference"],
  ["record_unknown", "analyst-inference"],
  ["run_replay_machine", "controlled-replay"],
  ["set_address_name", "analyst-inference"],
  ["set_addresses_names", "analyst-inference"],
  ["set_bookmark", "analyst-inference"],
  ["set_comment", "analyst-inference"],
  ["set_inline_comment", "analyst-inference"],
  ["unset_bookmark", "analyst-inference"],
  ["update_unknown", "analyst-inference"],
]);

/** What kind of source stands behind a record of this tool by this producer. */
export function authorityOf(tool: string, producer: string): Authority {
  return byTool.get(tool) ?? byProducer.get(producer) ?? "shipped-artifact";
}

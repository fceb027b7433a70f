import type { RuntimeReconciliation } from "@rea/core";
import { grouped } from "./figures.js";
import type { Style } from "./style.js";

/** Which scripts that ran are which files, and what of the files was seen. */
export function runtimeReconciliationText(found: RuntimeReconciliation, style: Style): string {
  const { matches, static_items: items, summary, load_summary: loads } = found;
  const name = (layer: number): string => (found.layers.length === 1 ? "" : `${found.layers[layer]?.role ?? ""} `);
  return [
    style.heading(`${grouped(summary.matched)} scripts are files of the application, ${grouped(summary.mismatch)} are other than what lies there, ${grouped(summary.ambiguous)} ambiguous, ${grouped(summary.unmatched)} unmatched`),
    ...matches.items.map(({ state, url, script_id, target, basis, reason }) => {
      const colour = state === "matched" ? style.good : state === "mismatch" ? style.bad : style.warn;
      const place = target === null ? "" : ` → ${name(target.layer)}${target.name}`;
      return `${colour(state)} ${url === "" ? script_id : url}${place}  ${style.dim([basis ?? "", reason ?? ""].filter((note) => note !== "").join("; "))}`;
    }),
    ...(matches.next_offset === null ? [] : [`… ${grouped((matches.total ?? 0) - matches.next_offset)} more; continue with --offset ${String(matches.next_offset)}`]),
    "",
    `${grouped(loads.loaded)} files loaded, ${grouped(loads.resident_in_loaded_asset)} modules resident in them, ${grouped(loads.not_observed_in_capture)} not observed, ${grouped(loads.unknown)} unknown`,
    ...items.items.map(({ load_state: state, layer, name: file, reason }) => `${state === "loaded" ? style.good(state) : state} ${name(layer)}${file}  ${style.dim(reason ?? "")}`),
    ...(items.next_offset === null ? [] : [`… ${grouped((items.total ?? 0) - items.next_offset)} more; continue with --offset ${String(items.next_offset)}`]),
    "",
    ...found.coverage.omissions.map(({ scope }) => style.warn(scope)),
    ...found.limitations.map((one) => style.dim(one)),
  ]
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}

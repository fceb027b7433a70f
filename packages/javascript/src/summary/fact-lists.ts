import type { ApplicationSummary } from "@rea/core";
import type { LinkedScript } from "../link/linked-application.js";
import { cite, shown, shownOrNull } from "./cite.js";

type Host = ApplicationSummary["endpoints"]["items"][number];

/** Endpoints by host, the busiest first; paths without a host stand under "". */
export function endpointHosts(scripts: readonly LinkedScript[], perHost: number): Host[] {
  const hosts = new Map<string, Map<string, Host["items"][number]>>();
  for (const script of scripts) {
    for (const { value, method, basis, confidence, at } of script.facts.endpoints) {
      const host = hostOf(value);
      const list = hosts.get(host) ?? new Map<string, Host["items"][number]>();
      hosts.set(host, list);
      const key = `${method ?? ""} ${value}`;
      if (!list.has(key)) list.set(key, { value: shown(value), method, basis, confidence, at: cite(script, at) });
    }
  }
  return [...hosts]
    .sort(([a, x], [b, y]) => y.size - x.size || (a < b ? -1 : 1))
    .map(([host, list]) => ({ host: shown(host), total: list.size, items: [...list.values()].sort(calledFirst).slice(0, perHost) }));
}

/** What is connected to says more than what is only written. */
function calledFirst(a: Host["items"][number], b: Host["items"][number]): number {
  return Number(a.basis === "url-literal") - Number(b.basis === "url-literal");
}

function hostOf(value: string): string {
  return /^[a-z][\w+.-]*:\/\/([^/?#]*)/iu.exec(value)?.[1]?.toLowerCase() ?? "";
}

export function storagePlaces(scripts: readonly LinkedScript[]): ApplicationSummary["storage"]["items"] {
  const places = new Map<string, { area: string; key: string | null; operations: Set<string>; at: ReturnType<typeof cite> }>();
  for (const script of scripts) {
    for (const { area, key, operation, at } of script.facts.storage) {
      const id = `${area}\0${key ?? ""}`;
      const known = places.get(id) ?? { area, key: shownOrNull(key), operations: new Set<string>(), at: cite(script, at) };
      places.set(id, known);
      known.operations.add(operation);
    }
  }
  return [...places.values()].map(({ operations, ...place }) => ({ ...place, operations: [...operations].sort() })).sort((a, b) => (a.area === b.area ? ((a.key ?? "") < (b.key ?? "") ? -1 : 1) : a.area < b.area ? -1 : 1));
}

export function environmentReads(scripts: readonly LinkedScript[]): ApplicationSummary["environment"]["items"] {
  const reads = new Map<string, { name: string | null; source: string; reads: number; at: ReturnType<typeof cite> }>();
  for (const script of scripts) {
    for (const { name, source, at } of script.facts.environment) {
      const id = `${source}\0${name ?? ""}`;
      const known = reads.get(id) ?? { name: shownOrNull(name), source, reads: 0, at: cite(script, at) };
      reads.set(id, known);
      known.reads += 1;
    }
  }
  return [...reads.values()].sort((a, b) => b.reads - a.reads || ((a.name ?? "") < (b.name ?? "") ? -1 : 1));
}

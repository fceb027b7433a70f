import type { ElectronVerdict } from "@rea/artifact";
import type { ApplicationSummary } from "@rea/core";
import type { LinkedElectron } from "../link/electron.js";
import type { LinkedApplication, LinkedScript } from "../link/linked-application.js";
import type { IdentifiedPackage } from "../link/packages.js";
import { biggestModules } from "./biggest-modules.js";
import { cite, firstOf, shown, shownOrNull } from "./cite.js";
import { electronSummary } from "./electron-summary.js";
import { endpointHosts, environmentReads, storagePlaces } from "./fact-lists.js";
import { entryPoints } from "./entry-points.js";
import { securityLines } from "./security.js";
import type { Sizes } from "./sizes.js";

export interface SummaryInput {
  readonly application: LinkedApplication;
  readonly electron: LinkedElectron;
  readonly packages: readonly IdentifiedPackage[];
  /** What fuses and declared hashes say of archives. */
  readonly verdicts: readonly ElectronVerdict[];
  readonly format: "asar" | "directory" | "bundle" | "source-map";
  /** Nothing of the application's own code was left out. */
  readonly isWhole: boolean;
}

/** The page about an application, with lists of the given sizes. */
export function summarize(input: SummaryInput, sizes: Sizes): ApplicationSummary {
  const { application, electron, packages, verdicts } = input;
  const { scripts, root } = application;
  const imports = scripts.flatMap((script) => script.imports.map((one) => ({ ...one, script })));
  return {
    application: {
      kind: kindOf(input),
      name: shownOrNull(root.manifest?.name ?? null),
      product_name: shownOrNull(root.manifest?.productName ?? null),
      version: shownOrNull(root.manifest?.version ?? null),
      manifest: root.manifest === undefined ? null : shown(root.directory === "" ? "package.json" : `${root.directory}/package.json`),
      electron_version: shownOrNull(root.manifest?.dependencies.get("electron") ?? null),
    },
    entry_points: firstOf(entryPoints(application, electron), sizes.items),
    bundlers: hintCounts(scripts, "bundler"),
    frameworks: hintCounts(scripts, "framework"),
    packages: firstOf(
      packages.map(({ name, version, identifiedBy, confidence, occurrences }) => ({
        name: shown(name),
        version: shownOrNull(version),
        identified_by: identifiedBy,
        confidence,
        occurrences: occurrences.slice(0, sizes.sites).map(({ path, start, end }) => ({ path: shown(path), start, end })),
        occurrences_total: occurrences.length,
      })),
      sizes.packages,
    ),
    electron: electronSummary(electron, { application, verdicts }, sizes),
    security: securityLines(electron, input, sizes),
    endpoints: firstOf(endpointHosts(scripts, sizes.perHost), sizes.hosts),
    routes: firstOf(scripts.flatMap((script) => script.facts.routes.map(({ value, basis, confidence, at }) => ({ value: shown(value), basis, confidence, at: cite(script, at) }))), sizes.items),
    storage: firstOf(storagePlaces(scripts), sizes.items),
    environment: firstOf(environmentReads(scripts), sizes.items),
    native_addons: firstOf(nativeAddons(application, imports, sizes), sizes.items),
    workers: firstOf(
      imports.flatMap(({ fact, target, script }) => {
        if (fact.kind !== "worker" && fact.kind !== "shared-worker" && fact.kind !== "service-worker" && fact.kind !== "worklet") return [];
        return [{ kind: fact.kind, requested: shownOrNull(fact.specifier ?? fact.pattern), path: target.kind === "file" ? shown(target.path) : null, at: cite(script, fact.at) }];
      }),
      sizes.items,
    ),
    source_maps: sourceMaps(application, sizes),
    biggest_modules: biggestModules(application, sizes.items),
  };
}

function kindOf({ application, electron, format }: SummaryInput): ApplicationSummary["application"]["kind"] {
  if (format === "source-map") return "source-map";
  if (electron.isElectron) return "electron";
  if (format === "bundle") return "bundle";
  const manifest = application.root.manifest;
  if (application.pages.length > 0 && (manifest === undefined || manifest.main === null)) return "web";
  if (manifest === undefined) return "unknown";
  return manifest.exports !== undefined || manifest.module !== null ? "library" : "node";
}

function hintCounts(scripts: readonly LinkedScript[], kind: "bundler" | "framework"): { name: string; version: string | null; files: number }[] {
  const counts = new Map<string, { name: string; version: string | null; files: number }>();
  for (const { facts } of scripts) {
    const seen = new Set<string>();
    for (const hint of facts.hints) {
      const key = `${hint.name}\0${hint.version ?? ""}`;
      if (hint.kind !== kind || seen.has(key)) continue;
      seen.add(key);
      const known = counts.get(key) ?? { name: shown(hint.name), version: shownOrNull(hint.version), files: 0 };
      counts.set(key, known);
      known.files += 1;
    }
  }
  return [...counts.values()].sort((a, b) => b.files - a.files || (a.name < b.name ? -1 : 1)).slice(0, 24);
}

function nativeAddons({ entries }: LinkedApplication, imports: readonly (LinkedScript["imports"][number] & { readonly script: LinkedScript })[], sizes: Sizes): ApplicationSummary["native_addons"]["items"] {
  const asked = imports.filter(({ fact }) => fact.kind === "native-addon");
  const files = [...entries.values()].filter(({ path }) => path.endsWith(".node"));
  const askers = new Map<string, (typeof asked)[number][]>();
  for (const one of asked) {
    if (one.target.kind !== "file") continue;
    const known = askers.get(one.target.path);
    if (known === undefined) askers.set(one.target.path, [one]);
    else known.push(one);
  }
  const present = files.map(({ path, sha256 }) => {
    const by = askers.get(path) ?? [];
    return { path: shown(path), requested: shownOrNull(by[0]?.fact.specifier ?? null), sha256, requested_at: by.slice(0, sizes.sites).map(({ script, fact }) => cite(script, fact.at)) };
  });
  const missing = asked.flatMap(({ fact, target, script }) => (target.kind === "file" ? [] : [{ path: null, requested: shownOrNull(fact.specifier), sha256: null, requested_at: [cite(script, fact.at)] }]));
  return [...present, ...missing];
}

function sourceMaps({ maps, originals }: LinkedApplication, sizes: Sizes): ApplicationSummary["source_maps"] {
  const of = (verdict: string) => maps.filter((map) => map.verdict === verdict).length;
  return {
    complete: of("complete"),
    partial: of("partial"),
    contradicting: of("contradicting"),
    unreadable: of("unreadable"),
    missing: of("missing"),
    originals: originals.size,
    items: firstOf(maps.map(({ path, script, verdict, facts }) => ({ path: shown(path), script: shownOrNull(script), verdict, sources: facts?.originals.length ?? 0, problems: [...(facts?.problems ?? [])] })), sizes.items),
  };
}

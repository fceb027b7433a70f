import type { LinkedApplication } from "./linked-application.js";
import { packageOfPath } from "./source-name.js";

/** A package, by what names it. */
export interface IdentifiedPackage {
  readonly name: string;
  readonly version: string | null;
  readonly identifiedBy: "package.json" | "licence-banner" | "vendor-marker" | "source-map-path";
  readonly confidence: "observed" | "inferred";
  readonly occurrences: readonly { readonly path: string; readonly sha256: string | null; readonly start: number; readonly end: number; readonly line: number; readonly column: number }[];
}

type Occurrence = IdentifiedPackage["occurrences"][number];

/** Every package that something names: its manifest, a licence banner, a version in code, the path of an original. */
export function identifyPackages({ manifests, scripts, originals, entries }: LinkedApplication): readonly IdentifiedPackage[] {
  const found = new Map<string, Omit<IdentifiedPackage, "occurrences"> & { readonly occurrences: Map<string, Occurrence> }>();
  const add = (identified: Omit<IdentifiedPackage, "occurrences">, occurrence: Occurrence): void => {
    const key = `${identified.name}\0${identified.version ?? ""}\0${identified.identifiedBy}`;
    const known = found.get(key) ?? { ...identified, occurrences: new Map<string, Occurrence>() };
    found.set(key, known);
    const place = `${occurrence.path}\0${String(occurrence.start)}`;
    if (!known.occurrences.has(place)) known.occurrences.set(place, occurrence);
  };
  for (const { path, sha256, manifest } of manifests) {
    // Manifests without a version mark a directory's module type; they name no package.
    if (manifest.name === null || manifest.name === "" || manifest.version === null) continue;
    add({ name: manifest.name, version: manifest.version, identifiedBy: "package.json", confidence: "observed" }, { path, sha256, start: 0, end: entries.get(path)?.sizeBytes ?? 0, line: 1, column: 0 });
  }
  for (const { path, sha256, facts } of scripts) {
    for (const { kind, name, version, basis, confidence, at } of facts.hints) {
      if (kind === "package") add({ name, version, identifiedBy: basis === "licence-banner" ? "licence-banner" : "vendor-marker", confidence }, { path, sha256, ...at });
    }
  }
  for (const original of originals.values()) {
    const owner = packageOfPath(original.path);
    const [place] = original.in;
    if (owner === undefined || place === undefined) continue;
    add({ name: owner.name, version: owner.version, identifiedBy: "source-map-path", confidence: "inferred" }, { path: place.map, sha256: null, start: 0, end: 0, line: 1, column: 0 });
  }
  return [...found.values()].map(({ occurrences, ...identified }) => ({ ...identified, occurrences: [...occurrences.values()] })).sort(byName);
}

function isCertain({ identifiedBy, version }: IdentifiedPackage): boolean {
  return identifiedBy !== "source-map-path" && version !== null;
}

const order = ["package.json", "vendor-marker", "licence-banner", "source-map-path"] as const;

function byName(a: IdentifiedPackage, b: IdentifiedPackage): number {
  // What its own manifest, or its code, names with a version says more than a path in a source map.
  if (isCertain(a) !== isCertain(b)) return isCertain(a) ? -1 : 1;
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  if (a.version !== b.version) return (a.version ?? "") < (b.version ?? "") ? -1 : 1;
  return order.indexOf(a.identifiedBy) - order.indexOf(b.identifiedBy);
}

import type { GraphInput } from "./graph-input.js";
import type { NodePlaces } from "./node-places.js";

/** Packages with the files that show them. */
export function addPackages({ packages, application }: GraphInput, places: NodePlaces): void {
  const { builder } = places;
  for (const { name, version, identifiedBy, confidence, occurrences } of packages) {
    for (const { path, sha256, ...at } of occurrences.slice(0, 64)) {
      const isInferred = confidence === "inferred";
      const finding = {
        authority: identifiedBy === "package.json" ? ("artifact-bytes" as const) : ("ast-static-analysis" as const),
        state: confidence,
        confidence: isInferred ? ("medium" as const) : ("exact" as const),
        file: sha256 === null ? "The path of an original names it." : { sha256, path },
        at: identifiedBy === "source-map-path" ? "The path of an original names it." : at,
        extractor: `package-${identifiedBy}`,
        limitations: isInferred ? ["Concluded from a name in what was read."] : [],
      };
      const id = builder.node({ kind: "package", strategy: "artifact-local-key", value: `${name}@${version ?? ""}`, name, properties: { identified_by: identifiedBy, version }, finding });
      if (identifiedBy !== "package.json") builder.edge("contains", places.file(path), id, { finding });
    }
  }
  linkFiles({ application }, places);
}

/** Files belong to the package whose manifest is nearest above them. */
function linkFiles({ application }: Pick<GraphInput, "application">, places: NodePlaces): void {
  const { builder } = places;
  for (const { path, sha256 } of [...application.scripts, ...application.pages]) {
    const directory = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
    const manifest = nearest(directory, application);
    if (manifest === undefined || manifest.name === null || manifest.version === null) continue;
    const finding = { authority: "artifact-bytes" as const, file: { sha256, path }, at: "It is about the whole file.", extractor: "package-scope" };
    const id = builder.node({ kind: "package", strategy: "artifact-local-key", value: `${manifest.name}@${manifest.version}`, name: manifest.name, finding: { ...finding, extractor: "package-package.json" } });
    builder.edge("contains", id, places.file(path), { finding });
  }
}

/** Manifests that only mark a module type are passed over. */
function nearest(directory: string, { tree }: GraphInput["application"]) {
  let now = tree.scope(directory);
  while (now !== undefined && (now.name === null || now.version === null) && now.directory !== "") {
    const above = now.directory.includes("/") ? now.directory.slice(0, now.directory.lastIndexOf("/")) : "";
    const next = tree.scope(above);
    if (next === now) return undefined;
    now = next;
  }
  return now;
}

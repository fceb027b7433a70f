import type { ManifestKind } from "./manifest.js";
import type { PlacedManifest } from "./placed.js";
import type { ManifestVerdict } from "./verdicts.js";
import { memberPrefix } from "../logical-path.js";
import type { Place } from "../walk/place.js";

/** A declared digest that did not hold. */
export interface DigestFailure {
  readonly place: Place;
  readonly declaredBy: string;
}

/** Joins lists with the members that contradict them; of lists inside one another the innermost is meant. */
export function manifestVerdicts(manifests: readonly PlacedManifest[], failures: readonly DigestFailure[]): readonly ManifestVerdict[] {
  const broken = new Map<PlacedManifest, number>();
  for (const failure of failures) {
    const meant = manifests.filter((one) => speaksOf(one, failure)).sort((a, b) => b.root.length - a.root.length)[0];
    if (meant !== undefined) broken.set(meant, (broken.get(meant) ?? 0) + 1);
  }
  return manifests.map((one) => verdictOf(one, broken.get(one) ?? 0));
}

/** Others that declare digests of the list itself. */
const alsoBy: { readonly [K in ManifestKind]?: readonly string[] } = { "jar-manifest": ["a JAR signature file", "a JAR signature"] };

function speaksOf({ kind, container, declaredBy, root }: PlacedManifest, failure: DigestFailure): boolean {
  if (failure.declaredBy !== declaredBy && alsoBy[kind]?.includes(failure.declaredBy) !== true) return false;
  const path = failure.place.logicalPath;
  if (!path.startsWith(memberPrefix(container.logicalPath) + root)) return false;
  for (let place = failure.place.parent; place !== undefined; place = place.parent) if (place === container) return true;
  return false;
}

function verdictOf({ kind, logical_path, declaredBy, members, missing, extra, unchecked }: PlacedManifest, broken: number): ManifestVerdict {
  const verdict = broken + missing > 0 ? "broken" : extra > 0 ? "extended" : members === 0 ? "not_verified" : "holds";
  return { kind, logical_path, declared_by: declaredBy, verdict, members, broken, missing, extra, unchecked };
}

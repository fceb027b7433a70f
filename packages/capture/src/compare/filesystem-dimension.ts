import type { FilesystemEffect } from "@rea/core";
import { normalizedFields, type CaptureView } from "./capture-view.js";
import { comparedItem, type ComparedItem } from "./compared-items.js";
import { compareSets } from "./compare-sets.js";
import { dimensionFinding, type DimensionFinding } from "./dimension-finding.js";

/** What became of the observed directories, path by path. A look that did not see everything denies nothing. */
export function compareFilesystems(left: CaptureView, right: CaptureView): DimensionFinding {
  const [a, b] = [effectsOf(left), effectsOf(right)];
  const [wholeA, wholeB] = [sawEverything(left), sawEverything(right)];
  const differences = compareSets({
    left: a,
    right: b,
    collection: "filesystem_checkpoints",
    denies: { left: () => wholeA, right: () => wholeB },
    isUnknown: ({ view }) => view["effect"] === "unknown",
  });
  return dimensionFinding({
    dimension: "filesystem",
    differences: differences.map((one) => {
      const contradicts = [a.get(one.place), b.get(one.place)].some((item) => item !== undefined && contradictsItself(item));
      return contradicts ? { ...one, state: "contradiction" as const } : one;
    }),
    left: texts(a),
    right: texts(b),
    truncated: !wholeA || !wholeB,
    limitations: [...left.omissionsOf(scopes), ...right.omissionsOf(scopes)],
  });
}

const scopes = ["filesystem", "filesystem root"];

function effectsOf({ capture, orderOf, normalized }: CaptureView): ReadonlyMap<string, ComparedItem> {
  const last = capture.filesystem_checkpoints.length - 1;
  const order = last < 0 ? null : orderOf("filesystem_checkpoints", last);
  return new Map(
    capture.filesystem_effects.map((effect) => {
      const view = normalizedFields({ effect: effect.effect, before: effect.before, after: effect.after }, (text) => text);
      return [`${String(effect.root)}:${normalized(effect.path)}`, comparedItem(view, order)] as const;
    }),
  );
}

function sawEverything(view: CaptureView): boolean {
  const looks = view.capture.filesystem_checkpoints.flatMap(({ roots }) => roots);
  const rootsSeen = looks.every(({ state }) => state === "complete" || state === "missing");
  return rootsSeen && view.omissionsOf(scopes).length === 0;
}

function contradictsItself({ view }: ComparedItem): boolean {
  const has = { before: view["before"] !== null, after: view["after"] !== null };
  const effect = view["effect"];
  if (!isEffect(effect)) return true;
  switch (effect) {
    case "created":
      return has.before || !has.after;
    case "deleted":
      return !has.before || has.after;
    case "modified":
      return !has.before || !has.after;
    case "unknown":
      return false;
  }
}

function isEffect(value: unknown): value is FilesystemEffect["effect"] {
  return value === "created" || value === "deleted" || value === "modified" || value === "unknown";
}

function texts(items: ReadonlyMap<string, ComparedItem>): string[] {
  return [...items].map(([key, { text }]) => `${key} ${text}`).sort();
}

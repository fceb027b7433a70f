import type { ApplicationSummary } from "@rea/core";
import type { LinkedApplication, LinkedScript } from "../link/linked-application.js";
import { sourcePath } from "../link/source-name.js";
import { shown, shownOrNull } from "./cite.js";

interface Sized {
  readonly script: LinkedScript;
  /** Position of the module in its script; -1 for a script without modules. */
  readonly module: number;
  readonly bytes: number;
}

/** The largest modules of bundles, and scripts that are none. */
export function biggestModules({ scripts, maps }: LinkedApplication, most: number): ApplicationSummary["biggest_modules"] {
  const all = scripts.flatMap((script): readonly Sized[] => {
    const { modules } = script.facts;
    return modules.length === 0 ? [{ script, module: -1, bytes: script.sizeBytes }] : modules.map(({ at }, module) => ({ script, module, bytes: at.end - at.start }));
  });
  const largest = all.sort((a, b) => b.bytes - a.bytes || (a.script.path < b.script.path ? -1 : 1)).slice(0, most);
  return largest.map(({ script, module, bytes }) => {
    const found = script.facts.modules[module];
    const map = maps.find((one) => one.script === script.path);
    const original = module < 0 ? undefined : mainOriginal(map?.facts?.originals ?? [], module);
    return { path: shown(script.path), module: shownOrNull(found?.path ?? found?.id ?? null), original: shownOrNull(original ?? null), bytes };
  });
}

type Originals = NonNullable<LinkedApplication["maps"][number]["facts"]>["originals"];

/** The source with most segments in a module. */
function mainOriginal(originals: Originals, module: number): string | undefined {
  let most: Originals[number] | undefined;
  for (const one of originals) if (one.module === module && one.segments > (most?.segments ?? 0)) most = one;
  return most === undefined ? undefined : sourcePath(most.name);
}

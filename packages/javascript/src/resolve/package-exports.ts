/**
 * Targets of `exports` and `imports` in a package.json, after the resolution algorithm of Node's documentation ("ECMAScript
 * modules: resolution algorithm"). Values are those of the file: nothing is assumed of their shape.
 */

export type ExportTarget =
  /** A path below the package, beginning with `./`. */
  | { readonly kind: "path"; readonly path: string }
  /** `imports` may lead to another package. */
  | { readonly kind: "package"; readonly specifier: string }
  /** Excluded on purpose (`null`), or not listed. */
  | { readonly kind: "none" };

const none: ExportTarget = { kind: "none" };
const deepest = 32;

/** `subpath` is `.` or begins with `./`. */
export function exportTarget(exports: unknown, subpath: string, conditions: ReadonlySet<string>): ExportTarget {
  const entries = entriesOf(exports);
  const isMap = entries?.some(([key]) => key.startsWith(".")) === true;
  // Keys with and without a dot must not be mixed.
  if (isMap && entries?.some(([key]) => !key.startsWith(".")) === true) return none;
  if (subpath === ".") {
    const main = isMap ? entries?.find(([key]) => key === ".")?.[1] : exports;
    if (main !== undefined) return targetOf(main, { match: null, isImport: false, conditions }) ?? none;
    if (!isMap) return none;
  }
  return isMap && entries !== undefined ? matched(entries, subpath, { isImport: false, conditions }) : none;
}

/** `specifier` begins with `#`. */
export function importTarget(imports: unknown, specifier: string, conditions: ReadonlySet<string>): ExportTarget {
  const entries = entriesOf(imports);
  if (entries === undefined || specifier === "#" || specifier.startsWith("#/")) return none;
  return matched(entries, specifier, { isImport: true, conditions });
}

interface Asked {
  readonly isImport: boolean;
  readonly conditions: ReadonlySet<string>;
}

function matched(entries: readonly (readonly [string, unknown])[], key: string, asked: Asked): ExportTarget {
  const exact = key.includes("*") ? undefined : entries.find(([one]) => one === key);
  if (exact !== undefined) return targetOf(exact[1], { match: null, ...asked }) ?? none;
  const patterns = entries.filter(([one]) => one.split("*").length === 2).sort(([a], [b]) => byPattern(a, b));
  for (const [pattern, target] of patterns) {
    const star = pattern.indexOf("*");
    const [before, after] = [pattern.slice(0, star), pattern.slice(star + 1)];
    if (key === before || !key.startsWith(before)) continue;
    if (after !== "" && !(key.endsWith(after) && key.length >= pattern.length)) continue;
    return targetOf(target, { match: key.slice(before.length, key.length - after.length), ...asked }) ?? none;
  }
  return none;
}

/** PATTERN_KEY_COMPARE: the longer part before the star first, then the longer pattern. */
function byPattern(a: string, b: string): number {
  return b.indexOf("*") - a.indexOf("*") || b.length - a.length;
}

interface Targeted extends Asked {
  /** What the star stands for; null without one. */
  readonly match: string | null;
}

/** Undefined: no condition applies, so the next may be tried. */
function targetOf(target: unknown, asked: Targeted, depth = 0): ExportTarget | undefined {
  if (depth > deepest) return none;
  if (typeof target === "string") return textTarget(target, asked);
  if (target === null) return none;
  if (Array.isArray(target)) return firstTarget(target, asked, depth);
  const entries = entriesOf(target);
  if (entries === undefined) return none;
  // Keys that look like positions would change their order.
  if (entries.some(([key]) => /^(?:0|[1-9]\d*)$/u.test(key))) return none;
  for (const [condition, value] of entries) {
    if (condition !== "default" && !asked.conditions.has(condition)) continue;
    const found = targetOf(value, asked, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The first that can be used: invalid ones are passed over, `null` only when something follows. */
function firstTarget(list: readonly unknown[], asked: Targeted, depth: number): ExportTarget | undefined {
  if (list.length === 0) return none;
  let last: ExportTarget | undefined;
  for (const item of list) {
    const found = targetOf(item, asked, depth + 1);
    if (found === undefined) continue;
    if (found.kind !== "none") return found;
    last = found;
  }
  return last;
}

const unsafe = /(?:^|[/\\])(?:\.|%2e|\.\.|(?:\.|%2e)(?:\.|%2e)|node_modules|%6eode_modules)(?:[/\\]|$)/iu;

function textTarget(target: string, { match, isImport }: Targeted): ExportTarget {
  if (!target.startsWith("./")) {
    const isPackage = isImport && !target.startsWith("../") && !target.startsWith("/") && !/^[a-z][\w+.-]*:(?!.*node:)/iu.test(target.replace(/^node:/u, ""));
    return isPackage ? { kind: "package", specifier: filled(target, match) } : none;
  }
  if (unsafe.test(target.slice(2))) return none;
  if (match !== null && unsafe.test(match)) return none;
  return { kind: "path", path: filled(target, match) };
}

function filled(target: string, match: string | null): string {
  return match === null ? target : target.replaceAll("*", () => match);
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : undefined;
}

import { compareCodePoints, type BinaryComparison } from "@rea/core";

/** What a file declares of itself. */
export interface FileFacts {
  readonly imports: readonly string[];
  readonly exports: readonly string[];
  readonly libraries: readonly string[];
  readonly strings: readonly string[];
  readonly sections: readonly { readonly name: string; readonly size: number; readonly sha256: string | null }[];
  readonly mitigations: readonly { readonly name: string; readonly state: string }[];
}

type Lists = Pick<BinaryComparison, "imports" | "exports" | "strings" | "libraries" | "sections" | "mitigations">;

/** What was added and removed of each list, of at most so many items shown, and whether anything differs. */
export function comparedFiles(left: FileFacts, right: FileFacts, shown: number): { readonly lists: Lists; readonly differ: boolean } {
  const of = (kind: "imports" | "exports" | "strings" | "libraries") => listDifference(left[kind], right[kind], shown);
  const lists: Lists = {
    imports: of("imports"),
    exports: of("exports"),
    strings: of("strings"),
    libraries: of("libraries"),
    sections: sectionDifference(left.sections, right.sections),
    mitigations: mitigationDifference(left.mitigations, right.mitigations),
  };
  const { imports, exports, strings, libraries, sections, mitigations } = lists;
  const listed = [imports, exports, strings, libraries].some(({ added, removed }) => (added.total ?? 0) + (removed.total ?? 0) > 0);
  return { lists, differ: listed || sections.length + mitigations.length > 0 };
}

function listDifference(left: readonly string[], right: readonly string[], shown: number): Lists["imports"] {
  const [before, after] = [new Set(left), new Set(right)];
  const bounded = (items: readonly string[]) => {
    const kept = [...items].sort(compareCodePoints).slice(0, shown);
    return { items: kept, returned: kept.length, total: items.length, truncated: kept.length < items.length, next_offset: null };
  };
  return {
    added: bounded([...after].filter((one) => !before.has(one))),
    removed: bounded([...before].filter((one) => !after.has(one))),
  };
}

function sectionDifference(left: FileFacts["sections"], right: FileFacts["sections"]): Lists["sections"] {
  const [before, after] = [new Map(left.map((one) => [one.name, one])), new Map(right.map((one) => [one.name, one]))];
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names.flatMap((name) => {
    const [was, is] = [before.get(name), after.get(name)];
    if (was !== undefined && is !== undefined && was.size === is.size && was.sha256 === is.sha256) return [];
    const state = was === undefined ? ("added" as const) : is === undefined ? ("removed" as const) : ("changed" as const);
    return [{ name, state, left_size: was?.size ?? null, right_size: is?.size ?? null }];
  });
}

function mitigationDifference(left: FileFacts["mitigations"], right: FileFacts["mitigations"]): Lists["mitigations"] {
  const [before, after] = [new Map(left.map((one) => [one.name, one.state])), new Map(right.map((one) => [one.name, one.state]))];
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names.flatMap((name) => {
    const [was, is] = [before.get(name) ?? null, after.get(name) ?? null];
    return was === is ? [] : [{ name, left: was, right: is }];
  });
}

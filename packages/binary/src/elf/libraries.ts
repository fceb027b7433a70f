import type { Findings } from "../findings.js";
import type { Libraries } from "../image.js";
import { dt, type DynamicInfo } from "./dynamic.js";
import { fileNumber } from "./file-header.js";

const neededKinds: { readonly [tag: number]: string | undefined } = {
  [dt.needed]: "needed",
  [dt.auxiliary]: "auxiliary",
  [dt.filter]: "filter",
};
const pathKinds: { readonly [tag: number]: string | undefined } = { [dt.rpath]: "rpath", [dt.runPath]: "runpath" };

/** DT_NEEDED, DT_AUXILIARY and DT_FILTER in order, DT_RPATH and DT_RUNPATH split at colons, DT_SONAME. */
export function readLibraries(dynamic: DynamicInfo, findings: Findings): Libraries {
  const text = (value: bigint, offset: number): string | undefined => {
    const name = dynamic.strings.at(fileNumber(value));
    if (name === undefined) findings.malformed("libraries", offset, "a name offset lies outside the string table");
    return name;
  };
  const named = (kinds: { readonly [tag: number]: string | undefined }) =>
    dynamic.entries.flatMap((entry) => {
      const kind = kinds[entry.tag];
      const name = kind === undefined ? undefined : text(entry.value, entry.offset);
      return kind === undefined || name === undefined ? [] : [{ name, kind }];
    });
  const own = dynamic.entries.find((entry) => entry.tag === dt.ownName);
  return {
    needed: named(neededKinds).map(({ name, kind }) => ({ name, kind, version: undefined, delayed: false })),
    runPaths: named(pathKinds).flatMap(({ name, kind }) => name.split(":").map((path) => ({ path, kind }))),
    ownName: own === undefined ? undefined : text(own.value, own.offset),
    omissions: findings.list(),
  };
}

import { coverageOf, mitigationNames, type OperationResult } from "@rea/core";
import { goBuildIds } from "../go-image.js";
import type { BinaryImage } from "../image.js";
import { guessToolchain } from "../toolchain.js";
import { bounded, type Display } from "./display.js";

type Result = OperationResult<"inspect_binary">;

const shownFacts = 200;
const shownLibraries = 500;

/** How many relocations there are, by type and by section, most frequent first. */
export function relocationsFacet(image: BinaryImage, display: Display): Result["relocations"] {
  const table = image.relocations();
  const types = bounded(tally(table.items.map((item) => item.type)), shownFacts, "relocation types");
  const sections = bounded(tally(table.items.map((item) => item.section)), shownFacts, "relocation sections");
  const by_type = types.items.map(([type, count]) => ({ type, count }));
  const by_section = sections.items.map(([section, count]) => ({ section: display.text(section), count }));
  const omissions = [...table.omissions, ...types.omissions, ...sections.omissions];
  return { total: table.items.length, by_type, by_section, coverage: coverageOf(display.omissions(omissions, "relocations")) };
}

function tally(keys: readonly string[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts].sort((left, right) => right[1] - left[1] || (left[0] < right[0] ? -1 : 1));
}

export function librariesFacet(image: BinaryImage, display: Display): Result["libraries"] {
  const libraries = image.libraries();
  const needed = bounded(libraries.needed, shownLibraries, "libraries");
  const paths = bounded(libraries.runPaths, shownFacts, "run paths");
  return {
    needed: needed.items.map((library) => ({
      name: display.text(library.name),
      kind: library.kind,
      version: display.optionalText(library.version),
      delayed: library.delayed,
    })),
    run_paths: paths.items.map(({ path, kind }) => ({ path: display.text(path), kind })),
    own_name: display.optionalText(libraries.ownName),
    coverage: coverageOf(display.omissions([...libraries.omissions, ...needed.omissions, ...paths.omissions], "libraries")),
  };
}

/** Every mitigation of the contract; those the format has no notion of are `not_applicable`. */
export function mitigationsFacet(image: BinaryImage): Result["mitigations"] {
  const table = image.mitigations();
  const items = mitigationNames.map((name) => {
    const found = table.items.find((item) => item.name === name);
    return found ?? { name, state: "not_applicable" as const, basis: "Files of this format have no such mechanism." };
  });
  return { items, coverage: coverageOf(table.omissions) };
}

export function buildIdsFacet(image: BinaryImage, display: Display): Result["build_ids"] {
  const table = image.buildIds();
  const shown = bounded([...table.items, ...goBuildIds(image)], shownFacts, "build ids");
  const items = shown.items.map((id) => ({
    kind: id.kind,
    value: display.text(id.value),
    detail: display.optionalText(id.detail),
    ...display.range(id.file),
  }));
  const made = guessToolchain(image);
  const toolchain =
    made === undefined
      ? null
      : { name: made.name, version: display.optionalText(made.version), language: made.language ?? null, basis: [...made.basis] };
  return { items, toolchain, coverage: coverageOf(display.omissions([...table.omissions, ...shown.omissions], "build ids")) };
}

export function signaturesFacet(image: BinaryImage, display: Display): Result["signatures"] {
  const table = image.signatures();
  const items = table.items.map(({ kind, file }) => ({ kind, ...display.range(file), inspect_with: "inspect_signature" }));
  return { items, coverage: coverageOf(table.omissions) };
}

export function anomaliesFacet(image: BinaryImage, display: Display): Result["anomalies"] {
  const table = image.anomalies();
  const shown = bounded(table.items, shownFacts, "anomalies");
  const items = shown.items.map(({ kind, detail, offset }) => ({
    kind,
    detail,
    file_offset: offset === undefined ? null : display.offset(offset),
  }));
  return { items, coverage: coverageOf([...table.omissions, ...shown.omissions]) };
}

import { Buffer } from "node:buffer";
import type { JsonValue } from "@rea/core";
import type { ExportFact } from "../facts/exports/export-fact.js";
import type { UnitFacts } from "../facts/script-facts.js";

const thirdParty = /(?:^|\/)(?:node_modules|bower_components|jspm_packages)\//u;

/**
 * Properties that say what a file or module is recognised by and what it hands out. Words are left out for code of packages,
 * which nobody looks for among sources.
 */
export function unitProperties(unit: UnitFacts | null | undefined, path: string): { readonly [key: string]: JsonValue } {
  if (unit === null || unit === undefined) return {};
  const { marks, exports } = unit;
  return {
    ...(marks.sourceSha256 === null ? {} : { source_sha256: marks.sourceSha256 }),
    structure_sha256: marks.structure,
    code_sha256: marks.code,
    syntax_nodes: marks.nodes,
    ...(thirdParty.test(path) || marks.words.hashes.length === 0 ? {} : { words: hashText(marks.words.hashes), words_shift: marks.words.shift }),
    ...(exports.exports.length === 0 ? {} : { exports: exports.exports.map(exportProperty) }),
    ...(exports.stars.length === 0 ? {} : { export_stars: [...exports.stars] }),
    ...(exports.isComplete ? {} : { exports_complete: false }),
  };
}

/** Keys in order: the graph is written as it stands. */
function exportProperty({ name, kind, variants, isComplete, from }: ExportFact): JsonValue {
  return {
    ...(isComplete ? {} : { complete: false }),
    ...(from === null ? {} : { from: from.specifier, imported: from.name }),
    kind,
    name,
    ...(variants.length === 0 ? {} : { variants: variants.map((shape) => shape.map(([pointer, token]) => [pointer, token])) }),
  };
}

/** Big-endian, four bytes each, in base64. */
export function hashText(hashes: readonly number[]): string {
  const bytes = Buffer.alloc(hashes.length * 4);
  for (const [index, hash] of hashes.entries()) bytes.writeUInt32BE(hash, index * 4);
  return bytes.toString("base64");
}

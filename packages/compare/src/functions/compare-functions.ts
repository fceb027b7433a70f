import {
  functionDimensions,
  type CitedRecord,
  type ComparedFunctionDimension,
  type Evidence,
  type FunctionComparison,
  type FunctionDimension,
} from "@rea/core";
import { compareControlFlow } from "./control-flow.js";
import { dimensionOf, unknownDimension, type DimensionFinding } from "./dimension-finding.js";
import { foreignTexts, functionSide, sameFunction, type FunctionSide } from "./function-side.js";
import { isGeneratedName } from "./generated-name.js";
import { compareLabels, joined, labelsOf, type LabelledFacet } from "./label-comparison.js";
import { compareAssembly, comparePseudocode } from "./text-dimensions.js";

/** Changes that a result shows. */
const shownChanges = 200;
const deciding: readonly FunctionDimension[] = ["pseudocode", "assembly", "calls", "cfg"];
const unnamed = "‹unnamed›";

/**
 * Compares two function dossiers in eight dimensions. A difference may come from a part, an equality only from a whole.
 * `references` are those that go out of the function; who refers to it is not its own. Pure. Throws
 * `evidence_integrity_mismatch` (`schema`) when a record holds no dossier.
 */
export function compareFunctions(
  { left, right }: { readonly left: Evidence; readonly right: Evidence },
  cite: (record: Evidence) => CitedRecord,
): FunctionComparison {
  const sides = { left: functionSide(left), right: functionSide(right) };
  const links = [...new Set([left.evidence_id, right.evidence_id])].sort();
  const contradicted = sameFunction(sides.left, sides.right);
  const found = functionDimensions.map((dimension) => ({ dimension, finding: findings[dimension](sides.left, sides.right) }));
  const dimensions = found.map(({ dimension, finding }) => dimensionOf(dimension, finding, { links, contradicted }));
  const changes = found.flatMap(({ dimension, finding }) => finding.changes.map((change) => ({ dimension, ...change })));
  return {
    status: statusOf(dimensions),
    function_match: matchOf(sides.left, sides.right),
    left_subject_sha256: left.subject?.digest.sha256 ?? null,
    right_subject_sha256: right.subject?.digest.sha256 ?? null,
    summary: {
      left: shownSide(sides.left),
      right: shownSide(sides.right),
      unchanged: countOf(dimensions, "unchanged"),
      changed: countOf(dimensions, "changed"),
      unknown: countOf(dimensions, "unknown"),
      changes: changes.length,
    },
    dimensions,
    changes: changes.slice(0, shownChanges),
    cited_records: [cite(left), cite(right)],
    limitations: [
      ...new Set([
        ...dimensions.flatMap(({ dimension, limitations }) => limitations.map((text) => `${dimension}: ${text}`)),
        ...(changes.length > shownChanges ? [`The first ${String(shownChanges)} of ${String(changes.length)} changes are shown.`] : []),
      ]),
    ],
  };
}

type Compare = (left: FunctionSide, right: FunctionSide) => DimensionFinding;

const findings: { readonly [D in FunctionDimension]: Compare } = {
  identity: compareIdentity,
  pseudocode: comparePseudocode,
  assembly: compareAssembly,
  comments: (left, right) => compareLabels(commentLabels(left), commentLabels(right), strictness(left, right)),
  calls: (left, right) => compareLabels(callLabels(left), callLabels(right), strictness(left, right)),
  references: (left, right) => compareLabels(referenceLabels(left), referenceLabels(right), strictness(left, right)),
  strings_names: (left, right) => compareLabels(textLabels(left), textLabels(right), strictness(left, right)),
  cfg: (left, right) => compareControlFlow(left.dossier, right.dossier),
};

/** Other providers and profiles may list other things: only wholes are compared then. */
function strictness(left: FunctionSide, right: FunctionSide): { readonly strict: boolean } {
  return { strict: foreignTexts(left, right) !== undefined };
}

function compareIdentity(left: FunctionSide, right: FunctionSide): DimensionFinding {
  const parts = (side: FunctionSide): LabelledFacet => {
    const { signature, classification } = side.dossier.procedure;
    const labels = [
      ...(left.name !== null && right.name !== null ? [`name ${side.name ?? ""}`] : []),
      ...(left.dossier.procedure.signature !== null && right.dossier.procedure.signature !== null ? [`signature ${signature ?? ""}`] : []),
      ...(classification === null ? [] : [`external ${String(classification.external)}`, `thunk ${String(classification.thunk)}`]),
    ];
    return { labels, total: labels.length, complete: true };
  };
  if (foreignTexts(left, right) !== undefined && (left.name === null || right.name === null)) {
    return unknownDimension("The sides come from different analyses and a side has no name of its own.");
  }
  return compareLabels(parts(left), parts(right), { strict: false });
}

function commentLabels({ dossier, start }: FunctionSide): LabelledFacet {
  return labelsOf(dossier.comments, ({ address, kind, text }) => `${kind} at +${offset(address, start)}: ${text}`);
}

function callLabels({ dossier }: FunctionSide): LabelledFacet {
  return labelsOf(dossier.callees, ({ name }) => (name === null || isGeneratedName(name) ? unnamed : name));
}

function textLabels({ dossier }: FunctionSide): LabelledFacet {
  return joined(
    labelsOf(dossier.referenced_strings, ({ value }) => JSON.stringify(value)),
    labelsOf(dossier.referenced_names, ({ name }) => (name === null || isGeneratedName(name) ? unnamed : name)),
  );
}

/** Kind, and where it goes: into the function itself, to something known, or elsewhere. */
function referenceLabels({ dossier, start }: FunctionSide): LabelledFacet {
  const known = new Map<string, string>();
  const { referenced_names: names, referenced_strings: strings, callees, basic_blocks: blocks } = dossier;
  if (strings.state === "available") for (const { address, value } of strings.value.items) known.set(address, JSON.stringify(value));
  for (const facet of [names, callees]) {
    if (facet.state === "available") for (const { address, name } of facet.value.items) if (name !== null && !isGeneratedName(name)) known.set(address, name);
  }
  const inside = blocks.state === "available" ? blocks.value.items : [];
  return labelsOf(dossier.outgoing_references, ({ to, kind }) => {
    const own = inside.some((block) => BigInt(to) >= BigInt(block.start) && BigInt(to) < BigInt(block.end));
    return `${kind} of ${own ? `+${offset(to, start)}` : (known.get(to) ?? unnamed)}`;
  });
}

function offset(address: string, start: bigint): string {
  return `0x${(BigInt(address) - start).toString(16)}`;
}

function statusOf(dimensions: readonly ComparedFunctionDimension[]): FunctionComparison["status"] {
  if (dimensions.some(({ status }) => status === "changed")) return "changed";
  const open = dimensions.some(
    ({ dimension, status, conclusion_kind: kind }) => kind === "contradiction" || (status === "unknown" && deciding.includes(dimension)),
  );
  return open ? "unknown" : "unchanged";
}

function matchOf(left: FunctionSide, right: FunctionSide): FunctionComparison["function_match"] {
  if (left.name !== null && left.name === right.name) return "symbol";
  const sameGenerated = left.name === null && left.dossier.procedure.name === right.dossier.procedure.name;
  return sameGenerated && !sameSubject(left, right) ? "ambiguous" : "explicit";
}

function sameSubject({ record: left }: FunctionSide, { record: right }: FunctionSide): boolean {
  return left.subject?.digest.sha256 === right.subject?.digest.sha256;
}

function shownSide({ dossier }: FunctionSide): { readonly address: string; readonly name: string } {
  return { address: dossier.procedure.address, name: dossier.procedure.name };
}

function countOf(dimensions: readonly ComparedFunctionDimension[], wanted: ComparedFunctionDimension["status"]): number {
  return dimensions.filter(({ status }) => status === wanted).length;
}

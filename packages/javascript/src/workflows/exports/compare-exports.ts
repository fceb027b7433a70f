import { coverageOf, escapeUntrusted, omission, type ApplicationGraph, type ComparedExport, type ComparedVariant, type ExportShapeComparison, type ExportShapeLimits, type Omission, type ShapeChange } from "@rea/core";
import { GraphSide } from "../graph-side.js";
import { findExport, type FoundExport, type Shape } from "./find-export.js";
import { pairVariants, type VariantPair } from "./pair-variants.js";
import { shapeChanges } from "./shape-changes.js";

export interface ExportRequest {
  readonly graph: ApplicationGraph;
  readonly modulePath: string;
  readonly exportName: string;
}

/** Compares what two modules export: the variants a function returns, place by place. Pure; swapping the sides mirrors it. */
export function compareExports(given: { readonly left: ExportRequest; readonly right: ExportRequest }, limits: ExportShapeLimits): Omit<ExportShapeComparison, "cited_records"> {
  const found = { left: foundIn(given.left), right: foundIn(given.right) };
  const sides = { left: described(given.left, found.left), right: described(given.right, found.right) };
  const known = { left: variantsOf(found.left, limits), right: variantsOf(found.right, limits) };
  const paired = pairVariants(known.left.shapes, known.right.shapes);
  const variants: ComparedVariant[] = [];
  const changes: ShapeChange[] = [];
  let unknown = 0;
  for (const compared of [...paired.pairs.map((pair) => ({ pair, ...comparedPair(pair, known) })), ...restOf(paired.rest, known)]) {
    const { pair } = compared;
    unknown += compared.unknown;
    changes.push(...compared.changes.map((one) => ({ variant: variants.length, ...one })));
    variants.push({ discriminant: pair.discriminant === null ? null : { ...pair.discriminant }, left: compared.left, right: compared.right, changes: compared.changes.length });
  }
  const isWhole = known.left.isWhole && known.right.isWhole;
  const omissions = omissionsOf({ known, lost: paired.rest.left.length + paired.rest.right.length, limits });
  const kinds = found.left.presence === "present" && found.right.presence === "present" ? kindDifference(found.left.kind, found.right.kind) : "equal";
  const items = changes.slice(0, limits.max_changes);
  return {
    status: statusOf({ sides, variants, changes, isOpen: unknown > 0 || !isWhole || kinds === "unknown", kindsDiffer: kinds === "different" }),
    ...sides,
    variants,
    changes: { items, returned: items.length, total: changes.length, truncated: items.length < changes.length },
    coverage: coverageOf(omissions),
    limitations: [
      "Shapes are read from the code as it stands: what is put together at run time is unknown.",
      "A return that is never reached counts as one that is.",
      ...(sides.left.kind === "class" || sides.right.kind === "class" ? ["Classes are compared by the members that stand in them; what constructors and base classes add is not known."] : []),
    ],
  };
}

function foundIn({ graph, modulePath, exportName }: ExportRequest): FoundExport {
  return findExport(new GraphSide(graph), { modulePath, exportName });
}

function described({ modulePath, exportName }: ExportRequest, found: FoundExport): ComparedExport {
  const asked = { module_path: escapeUntrusted(modulePath), export_name: escapeUntrusted(exportName), presence: found.presence };
  if (found.presence !== "present") return { ...asked, reason: found.reason, kind: "unknown", node_id: null, variants: 0, complete: false };
  const reason = found.variants.every((shape) => shape.get("") === "unknown") ? "Its shape is not known." : null;
  return { ...asked, reason, kind: found.kind, node_id: found.nodeId, variants: found.variants.length, complete: found.isComplete };
}

interface KnownVariants {
  readonly shapes: readonly Shape[];
  /** Every variant is among them. */
  readonly isWhole: boolean;
  readonly left: number;
}

/** Variants of which something is known. */
function variantsOf(found: FoundExport, { max_return_variants: most }: ExportShapeLimits): KnownVariants {
  if (found.presence !== "present") return { shapes: [], isWhole: found.presence === "absent", left: 0 };
  const shapes = found.variants.filter((shape) => shape.get("") !== "unknown");
  const kept = shapes.slice(0, most);
  return { shapes: kept, isWhole: found.isComplete && shapes.length === found.variants.length && kept.length === shapes.length && found.variants.length > 0, left: shapes.length - kept.length };
}

type Compared = Pick<ComparedVariant, "left" | "right"> & { readonly changes: readonly Omit<ShapeChange, "variant">[]; readonly unknown: number };

function comparedPair({ left, right }: VariantPair, known: { readonly left: KnownVariants; readonly right: KnownVariants }): Compared {
  if (left !== undefined && right !== undefined) return { left: "present", right: "present", ...shapeChanges(left, right) };
  const missing = (side: KnownVariants) => (side.isWhole ? ("absent" as const) : ("unknown" as const));
  const presences = { left: left === undefined ? missing(known.left) : ("present" as const), right: right === undefined ? missing(known.right) : ("present" as const) };
  const isUnknown = presences.left === "unknown" || presences.right === "unknown";
  return { ...presences, changes: [], unknown: isUnknown ? 1 : 0 };
}

/** A variant that nothing pairs is absent from the other side when it certainly is none of what is left there. */
function restOf(rest: { readonly left: readonly Shape[]; readonly right: readonly Shape[] }, known: { readonly left: KnownVariants; readonly right: KnownVariants }) {
  const differs = (one: Shape, others: readonly Shape[]): boolean => others.every((other) => shapeChanges(one, other).changes.some((change) => change.left !== "unknown" && change.right !== "unknown"));
  const compared = (one: Shape, side: "left" | "right") => {
    const other = side === "left" ? "right" : "left";
    const presence = known[other].isWhole && differs(one, rest[other]) ? ("absent" as const) : ("unknown" as const);
    const presences = side === "left" ? { left: "present" as const, right: presence } : { left: presence, right: "present" as const };
    return { pair: { discriminant: null }, ...presences, changes: [], unknown: presence === "unknown" ? 1 : 0 };
  };
  return [...rest.left.map((one) => compared(one, "left")), ...rest.right.map((one) => compared(one, "right"))];
}

function kindDifference(left: string, right: string): "equal" | "different" | "unknown" {
  if (left === "unknown" || right === "unknown") return "unknown";
  return left === right ? "equal" : "different";
}

interface Found {
  readonly sides: { readonly left: ComparedExport; readonly right: ComparedExport };
  readonly variants: readonly ComparedVariant[];
  readonly changes: readonly ShapeChange[];
  readonly isOpen: boolean;
  readonly kindsDiffer: boolean;
}

function statusOf({ sides: { left, right }, variants, changes, isOpen, kindsDiffer }: Found): ExportShapeComparison["status"] {
  const presences = [left.presence, right.presence];
  if (presences.includes("unknown")) return "unknown";
  const isCertain = ({ left: one, right: other }: { readonly left: string; readonly right: string }): boolean => one !== "unknown" && other !== "unknown";
  const lone = variants.some((one) => isCertain(one) && one.left !== one.right);
  if (left.presence !== right.presence || kindsDiffer || lone || changes.some(isCertain)) return "changed";
  if (left.presence === "absent") return "unchanged";
  return isOpen ? "unknown" : "unchanged";
}

interface Shortfalls {
  readonly known: { readonly left: KnownVariants; readonly right: KnownVariants };
  readonly lost: number;
  readonly limits: ExportShapeLimits;
}

function omissionsOf({ known, lost, limits }: Shortfalls): readonly Omission[] {
  const found: Omission[] = [];
  for (const name of ["left", "right"] as const) {
    const { isWhole, left } = known[name];
    if (left > 0) found.push(omission(`Variants of the ${name} side beyond the bound.`, "limit_items", { count: left, limit: limits.max_return_variants, how_to_continue: "Raise limits.max_return_variants." }));
    else if (!isWhole) found.push(omission(`What the ${name} side returns is not known whole.`, "analysis_incomplete"));
  }
  if (lost > 0) found.push(omission("Variants that no literal tells apart.", "not_examined", { count: lost }));
  return found;
}

import { escapeUntrusted, z, type ApplicationNode } from "@rea/core";
import { textProperty, type GraphSide } from "../graph-side.js";

/** A value by places, as `value-shape.ts` describes it. */
export type Shape = ReadonlyMap<string, string>;

export type FoundExport =
  | { readonly presence: "present"; readonly kind: "function" | "class" | "value" | "unknown"; readonly nodeId: string; readonly variants: readonly Shape[]; readonly isComplete: boolean }
  | { readonly presence: "absent" | "unknown"; readonly reason: string };

const exportSchema = z.object({
  name: z.string(),
  kind: z.enum(["function", "class", "value", "re-export", "unknown"]),
  complete: z.boolean().default(true),
  from: z.string().optional(),
  imported: z.string().optional(),
  variants: z.array(z.array(z.tuple([z.string(), z.string()]))).default([]),
});
type ExportProperty = z.output<typeof exportSchema>;
const exportList = z.array(exportSchema);
const starList = z.array(z.string());

const deepest = 16;

/** What a module of a graph exports under a name, after re-exports. */
export function findExport(side: GraphSide, { modulePath, exportName }: { readonly modulePath: string; readonly exportName: string }): FoundExport {
  const found = moduleAt(side, modulePath);
  if (found === undefined && !side.isComplete) return { presence: "unknown", reason: "The application was not read whole, and what was read has no such module." };
  if (found === undefined) return { presence: "unknown", reason: "The application has no module of this path." };
  if (found === "ambiguous") return { presence: "unknown", reason: "Several modules have this path. Give more of it." };
  return new ExportSearch(side).in(found, escapeUntrusted(exportName), 0);
}

function moduleAt(side: GraphSide, given: string): ApplicationNode | "ambiguous" | undefined {
  const path = escapeUntrusted(given).replace(/^\.\//u, "");
  const code = side.graph.nodes.filter(({ kind }) => kind === "javascript-asset" || kind === "javascript-module" || kind === "source-module");
  const plain = (name: string): string => name.replace(/^\.\//u, "");
  const exact = code.filter(({ name }) => plain(name) === path);
  const near = exact.length > 0 ? exact : code.filter(({ name }) => name.endsWith(`/${path}`));
  const holders = new Set(near.flatMap((node) => (node.kind === "source-module" ? holdersOf(node, side) : [node])));
  const [only, ...more] = holders;
  return more.length > 0 ? "ambiguous" : only;
}

/** Code that a source map says an original became. */
function holdersOf({ node_id }: ApplicationNode, side: GraphSide): readonly ApplicationNode[] {
  return side.to(node_id).flatMap(({ relation, from }) => (relation === "maps_to" ? (side.node(from) ?? []) : []));
}

class ExportSearch {
  readonly #side: GraphSide;
  readonly #seen = new Set<string>();

  constructor(side: GraphSide) {
    this.#side = side;
  }

  in(node: ApplicationNode, name: string, depth: number): FoundExport {
    const key = `${node.node_id} ${name}`;
    if (this.#seen.has(key) || depth > deepest) return { presence: "unknown", reason: "Re-exports lead in a circle." };
    this.#seen.add(key);
    if (textProperty(node, "structure_sha256") === undefined) return { presence: "unknown", reason: "The module could not be read." };
    const list = exportList.safeParse(node.properties["exports"] ?? []);
    if (!list.success) return { presence: "unknown", reason: "What the module exports is not known." };
    const own = list.data.find((one) => one.name === name) ?? (name === "default" ? list.data.find((one) => one.name === "module.exports") : undefined);
    if (own !== undefined) return this.#resolved(node, own, depth);
    const stars = starList.safeParse(node.properties["export_stars"] ?? []).data ?? [];
    return this.#through(node, { name, stars, depth });
  }

  #resolved(node: ApplicationNode, own: ExportProperty, depth: number): FoundExport {
    if (own.kind !== "re-export") {
      return { presence: "present", kind: own.kind, nodeId: node.node_id, isComplete: own.complete, variants: own.variants.map((places) => new Map(places)) };
    }
    const target = own.from === undefined ? undefined : this.#target(node, own.from);
    const isNamespace = own.imported === "*";
    if (target === undefined || own.imported === undefined || isNamespace) {
      return { presence: "present", kind: "unknown", nodeId: node.node_id, variants: [], isComplete: false };
    }
    return this.in(target, own.imported, depth + 1);
  }

  /** `export * from`: the name may come from any of them. */
  #through(node: ApplicationNode, { name, stars, depth }: { readonly name: string; readonly stars: readonly string[]; readonly depth: number }): FoundExport {
    let isOpen = node.properties["exports_complete"] === false;
    for (const specifier of name === "default" ? [] : stars) {
      const target = this.#target(node, specifier);
      const found = target === undefined ? undefined : this.in(target, name, depth + 1);
      if (found?.presence === "present") return found;
      if (found?.presence !== "absent") isOpen = true;
    }
    if (isOpen) return { presence: "unknown", reason: "The module hands out names that are not known." };
    return { presence: "absent", reason: "The module exports no such name." };
  }

  #target({ node_id }: ApplicationNode, specifier: string): ApplicationNode | undefined {
    const edge = this.#side.from(node_id).find(({ relation, properties }) => relation === "imports" && properties["specifier"] === specifier);
    const target = edge === undefined ? undefined : this.#side.node(edge.to);
    return target?.kind === "javascript-asset" || target?.kind === "javascript-module" ? target : undefined;
  }
}

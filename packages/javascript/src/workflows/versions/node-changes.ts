import { canonicalJson, type ApplicationNode, type ApplicationNodeKind } from "@rea/core";
import { contentDigest, digestProperty, type GraphSide } from "../graph-side.js";
import { withoutHashes, type MatchTier } from "./match-keys.js";

export interface NodeChanges {
  readonly changes: readonly string[];
  /** Why nothing can be said of what is not among the changes; null when everything can. */
  readonly unknown: string | null;
}

/** Kinds whose nodes stand for content that has a digest. */
const contents: ReadonlySet<ApplicationNodeKind> = new Set(["artifact", "asar-entry", "javascript-asset", "javascript-module", "source-map", "source-module", "native-addon", "installer"]);

/** Properties that say again what digests say, or where something stands. */
const derived: ReadonlySet<string> = new Set(["bytes", "sha256", "source_sha256", "structure_sha256", "code_sha256", "syntax_nodes", "words", "words_shift", "path", "id", "encoding"]);
const handedOut: ReadonlySet<string> = new Set(["exports", "export_stars", "exports_complete"]);

/** What differs between two nodes that stand for each other. Symmetric in its sides. */
export function nodeChanges(one: ApplicationNode, other: ApplicationNode, { left, right, tier }: { readonly left: GraphSide; readonly right: GraphSide; readonly tier: MatchTier }): NodeChanges {
  const changes: string[] = [];
  const isContent = contents.has(one.kind);
  const content = isContent ? contentChange(one, other) : null;
  if (content?.change !== undefined && content.change !== null) changes.push(content.change);
  if (one.name !== other.name) changes.push("name");
  const isEqual = content !== null && content.change === null && content.unknown === null;
  if (!isEqual) changes.push(...propertyChanges(one, other));
  if (!isContent && one.kind !== "package" && relationsOf(one, left) !== relationsOf(other, right)) changes.push("relations");
  const isContradicted = one.properties["contradicted"] === true || other.properties["contradicted"] === true;
  if (isContradicted) return { changes, unknown: "Its bytes are not what is declared of them." };
  const isGuess = tier.basis === "semantic-key" && isContent && content?.unknown !== null;
  return { changes: changes.sort(), unknown: isGuess ? "Matched by what it is for, and its content has no digest." : (content?.unknown ?? null) };
}

function contentChange(one: ApplicationNode, other: ApplicationNode): { readonly change: string | null; readonly unknown: string | null } {
  const [mine, theirs] = [contentDigest(one), contentDigest(other)];
  if (mine === undefined || theirs === undefined) return { change: null, unknown: "Its content has no digest." };
  if (mine === theirs) return { change: null, unknown: null };
  const equal = (name: "code_sha256" | "structure_sha256"): boolean => {
    const digest = digestProperty(one, name);
    return digest !== undefined && digest === digestProperty(other, name);
  };
  if (equal("code_sha256")) return { change: "names_or_layout", unknown: null };
  return { change: equal("structure_sha256") ? "literals" : "content", unknown: null };
}

function propertyChanges(one: ApplicationNode, other: ApplicationNode): readonly string[] {
  const keys = new Set([...Object.keys(one.properties), ...Object.keys(other.properties)]);
  const differing = [...keys].filter((key) => !derived.has(key) && textOf(one, key) !== textOf(other, key));
  return [...new Set(differing.map((key) => (handedOut.has(key) ? "exports" : key)))];
}

function textOf({ properties }: ApplicationNode, key: string): string {
  const value = properties[key];
  return value === undefined ? "" : canonicalJson(value);
}

/** What a node leads to, by kinds and names. */
function relationsOf({ node_id }: ApplicationNode, side: GraphSide): string {
  const said = side.from(node_id).flatMap(({ relation, to }) => {
    const target = side.node(to);
    return target === undefined ? [] : [`${relation} ${target.kind} ${withoutHashes(target.name)}`];
  });
  return [...new Set(said)].sort().join("\n");
}

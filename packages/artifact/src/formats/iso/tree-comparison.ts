import type { EntryName } from "../../format.js";
import type { FindingReport } from "../../reading/finding-report.js";
import type { IsoNode } from "./iso-tree.js";
import type { TreeKind } from "./volume-descriptors.js";

const titles: { readonly [K in TreeKind]: string } = { primary: "primary", joliet: "Joliet", enhanced: "enhanced" };

/** How a tree is called in sentences. */
export function treeTitle(kind: TreeKind): string {
  return titles[kind];
}

/** Files of the tree that is shown, by their data; names of the other trees are told apart by it, for names differ. */
export class TreeComparison {
  readonly #shown = new Map<string, { readonly name: EntryName; seen: boolean }>();
  readonly #findings: FindingReport;

  constructor(findings: FindingReport) {
    this.#findings = findings;
  }

  show(node: IsoNode): void {
    if (!hasData(node)) return;
    const key = keyOf(node);
    if (!this.#shown.has(key)) this.#shown.set(key, { name: node.name, seen: false });
  }

  begin(): void {
    for (const file of this.#shown.values()) file.seen = false;
  }

  /** True for a file whose data the shown tree does not have. */
  isMissing(node: IsoNode): boolean {
    if (!hasData(node)) return false;
    const known = this.#shown.get(keyOf(node));
    if (known !== undefined) known.seen = true;
    return known === undefined;
  }

  reportMissing(node: IsoNode, kind: TreeKind): void {
    const detail = `Only the ${treeTitle(kind)} name tree has a file with this data.`;
    this.#findings.add({ anomaly: "tree_mismatch", offset: node.record.at, detail, effect: "Systems that read another name tree do not show the file." }, node.name);
  }

  /** Tells which files the tree just walked does not have. */
  reportUnseen(kind: TreeKind): void {
    for (const { name, seen } of this.#shown.values()) {
      if (seen) continue;
      const detail = `The ${treeTitle(kind)} name tree has no file with this data.`;
      this.#findings.add({ anomaly: "tree_mismatch", offset: null, detail, effect: "Systems that read that name tree do not show the file." }, name);
    }
  }
}

function hasData({ kind, bytes }: IsoNode): boolean {
  return kind === "file" && bytes > 0;
}

function keyOf({ extents, bytes }: IsoNode): string {
  return `${String(extents[0]?.start)}:${String(bytes)}`;
}

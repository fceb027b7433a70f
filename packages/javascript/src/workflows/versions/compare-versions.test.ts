import { applicationNodeIdOf, coverageOf, sealApplicationGraph, type ApplicationNode } from "@rea/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareVersions, type VersionSide } from "./compare-versions.js";
import { withoutHashes } from "./match-keys.js";

const limits = { max_candidate_nodes: 100, max_comparison_items: 100_000 };

function file(path: string, content: number): ApplicationNode {
  const identity = { strategy: "canonical-path" as const, value: path };
  return { node_id: applicationNodeIdOf("javascript-asset", identity), kind: "javascript-asset", identity, name: path, properties: { sha256: content.toString(16).padStart(64, "0") }, observations: [] };
}

function side(nodes: readonly ApplicationNode[]): VersionSide {
  const unique = new Map(nodes.map((node) => [node.node_id, node]));
  const { graph, sha256 } = sealApplicationGraph({ root_node_ids: [], nodes: [...unique.values()], edges: [], coverage: coverageOf([]), limitations: [] });
  return { graph, graphSha256: sha256, rootSha256: sha256, evidenceId: `ev_${sha256}`, native: [] };
}

const sides = fc.array(fc.tuple(fc.constantFrom("a.js", "b.js", "c.js", "d/e.js", "f-1a2b3c4d.js", "f-5e6f7a8b.js"), fc.integer({ min: 0, max: 4 })), { maxLength: 8 }).map((files) => side(files.map(([path, content]) => file(path, content))));

describe("a comparison of versions", () => {
  it("of a version with itself is unchanged, mirrors, and accounts for every node once", () => {
    fc.assert(
      fc.property(sides, sides, (left, right) => {
        const same = compareVersions({ left, right: left }, limits).comparison;
        expect([same.status, same.summary.unchanged]).toEqual(["unchanged", left.graph.nodes.length]);
        const [there, back] = [compareVersions({ left, right }, limits), compareVersions({ left: right, right: left }, limits)];
        expect(back.comparison.summary).toEqual({ ...there.comparison.summary, added: there.comparison.summary.removed, removed: there.comparison.summary.added });
        const seen = (one: "left" | "right") => there.items.flatMap((item) => item[one]?.node_id ?? []).sort();
        expect(seen("left")).toEqual(left.graph.nodes.map(({ node_id }) => node_id).sort());
        expect(seen("right")).toEqual(right.graph.nodes.map(({ node_id }) => node_id).sort());
      }),
    );
  });

  it("of ten thousand equal files in two places takes no list for each of them", () => {
    const many = (directory: string): VersionSide => side(Array.from({ length: 10_000 }, (_, at) => file(`${directory}/${String(at)}.js`, 1)));
    const { comparison, items } = compareVersions({ left: many("x"), right: many("y") }, limits);
    expect(comparison.summary).toMatchObject({ unknown: 20_000 });
    expect(items[0]?.candidates?.total).toBe(10_000);
  });
});

describe("a name without its build hash", () => {
  it("keeps what is no hash, and is found in time that grows with the name", () => {
    expect(["index-4f3a2b1c.js", "main.4f3a2b1c9d.chunk.js", "not-a-hash.js", "vendor.min.js"].map(withoutHashes)).toEqual(["index-*.js", "main.*.chunk.js", "not-a-hash.js", "vendor.min.js"]);
    expect(withoutHashes(`${"-_".repeat(100_000)}x`)).toHaveLength(200_001);
  });
});

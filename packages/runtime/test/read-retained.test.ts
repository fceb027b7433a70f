import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createRuntime } from "../src/index.js";
import { directory, failure, result } from "./support.js";

const service = () =>
  createRuntime({
    env: {},
    identity: { package_name: "@rea/test", package_version: "1.2.3", server_path: "/server.js" },
    stateDirectory: directory(),
    cacheDirectory: directory(),
    log: { level: "silent" },
  });

test("the graph that an inventory only names is read in pages by its digest", async () => {
  const runtime = service();
  const tree = directory();
  for (let index = 0; index < 150; index += 1) writeFileSync(join(tree, `file-${String(index)}`), `content ${String(index)}`);
  const { manifest, graph } = await result(runtime, "inspect_artifact", { path: tree, limit: 1 });
  expect(graph.state).toBe("retained");

  const sections = await result(runtime, "read_retained", { sha256: manifest.graph_sha256 });
  expect(sections).toMatchObject({ whole_kind: "artifact-graph", whole_bytes: graph.bytes, kind: "object" });
  const nodes = sections.rows.find(({ pointer }: { pointer: string }) => pointer === "/nodes");
  expect(nodes.left_out).toMatchObject({ kind: "array", total: manifest.counts.nodes });

  const seen: unknown[] = [];
  for (let offset: number | null = 0; offset !== null; ) {
    const page = await result(runtime, "read_retained", { sha256: manifest.graph_sha256, pointer: "/nodes", offset });
    seen.push(...page.rows.map(({ value }: { value: { artifact_id: string } }) => value.artifact_id));
    offset = page.next_offset;
  }
  expect(new Set(seen).size).toBe(manifest.counts.nodes);
});

test("a digest of nothing that is retained is refused with what to do", async () => {
  const error = await failure(service(), "read_retained", { sha256: "0".repeat(64) });
  expect(error).toMatchObject({ code: "evidence_integrity_mismatch", details: { reason: "missing", expected: "0".repeat(64) } });
});

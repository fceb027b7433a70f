import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { searchApplication } from "../src/search/search-application.js";
import { analyze, clean, writeTree } from "./support/written-tree.js";

afterAll(clean);

const code = `const { ipcRenderer } = require("electron"); ipcRenderer.invoke("save"); fetch("https://a.example/x");`;

describe("a single file", () => {
  it.each([
    ["app.js", "elsewhere/another name.js", code],
    ["view.TSX", "b.tsx", `export const a = (b: string) => <p title={b}>x</p>;`],
    ["a.map", "b.js.map", JSON.stringify({ version: 3, sources: ["a.ts"], sourcesContent: ["export {}"], mappings: "AAAA" })],
    ["index.html", "start.html", `<script>fetch("/x")</script>`],
    ["no-ending", "neither", `#!/usr/bin/env node\n${code}`],
  ])("is the same application at another path and under another name: %s and %s", async (one, other, text) => {
    const root = writeTree({ [one]: text, [other]: text });
    const [left, right] = [await analyze(join(root, one)), await analyze(join(root, other))];
    expect(left.graph.nodes.length).toBeGreaterThan(1);
    expect(right.graph.graph_id).toBe(left.graph.graph_id);
    expect(right.reply).toEqual(left.reply);
    expect(Buffer.compare(left.semantics.text, right.semantics.text)).toBe(0);
    expect(JSON.stringify(left.reply)).not.toContain(one);
    expect(left.subject.name).toBe(one);
  });

  it("goes by its own name where it is searched", async () => {
    const root = writeTree({ "app.js": code });
    const { hits } = await searchApplication({ path: join(root, "app.js"), innerPath: null, text: "save", caseSensitive: true, offset: 0, limit: 10 }, new AbortController().signal);
    expect(hits.map(({ path }) => path)).toEqual(["app.js"]);
  });
});

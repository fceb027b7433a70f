import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { FactCache } from "../src/cache/fact-cache.js";
import { analyze, clean, emptyDirectory, writeTree } from "./support/written-tree.js";

afterAll(clean);

const tree = { "package.json": JSON.stringify({ name: "a", version: "1.0.0", main: "a.js" }), "a.js": "fetch('https://a.example/'); require('./b')", "b.js": "export const x = 1", "p.html": "<script>fetch('/inline')</script>" };

describe("kept facts", () => {
  it("give the same answer as reading, without a thread that reads", async () => {
    const root = writeTree(tree);
    const directory = join(emptyDirectory(), "cache");
    const cache = { directory, version: "1" };
    const cold = await analyze(root, { cache });
    // Facts, what flows in each file, and the semantic graph of all.
    const packs = readdirSync(directory).sort();
    expect(packs).toHaveLength(3);
    for (const pack of packs) expect(statSync(join(directory, pack)).mode & 0o777).toBe(0o600);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    const warm = await analyze(root, { cache });
    expect(warm.reply).toEqual(cold.reply);
    expect(warm.graph).toEqual(cold.graph);
    expect(cold.graph).toEqual((await analyze(root)).graph);
    expect(warm.semantics).toEqual(cold.semantics);
    expect(readdirSync(directory).sort()).toEqual(packs);
    expect(cold.reply.summary.endpoints.items.flatMap(({ items }) => items.map(({ value }) => value)).sort()).toEqual(["/inline", "https://a.example/"]);
  });

  it("are not used when a byte is wrong, when other code made them, or when others may write to the directory", () => {
    const directory = join(emptyDirectory(), "cache");
    const write = new FactCache({ directory, version: "1" });
    write.put(new Map([["key", "text"]]));
    const get = (version = "1") => new FactCache({ directory, version }).get("key");
    expect(get()).toBe("text");
    expect(get("2")).toBeUndefined();
    chmodSync(directory, 0o777);
    expect(get()).toBeUndefined();
    chmodSync(directory, 0o700);
    const [name = ""] = readdirSync(directory);
    const file = readFileSync(join(directory, name));
    for (let at = 0; at < file.byteLength; at += 1) {
      const damaged = Buffer.from(file);
      damaged[at] = (damaged[at] ?? 0) ^ 0xff;
      writeFileSync(join(directory, name), damaged);
      expect([undefined, "text"]).toContain(get());
      if (at >= 72) expect(get()).toBeUndefined();
    }
    writeFileSync(join(directory, name), file.subarray(0, 40));
    expect(get()).toBeUndefined();
  });
});

import { chmodSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
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
    // Facts, what flows in each file, the semantic graph of all, and the whole analysis.
    const packs = readdirSync(directory).sort();
    expect(packs).toHaveLength(4);
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

  it("hold a whole analysis, which is used only for content that hashes the same under the same options", async () => {
    const root = writeTree(tree);
    const cache = { directory: join(emptyDirectory(), "cache"), version: "1" };
    const spoil = (): void => {
      // Facts alone are taken away: what is still answered came from a whole analysis.
      for (const name of readdirSync(cache.directory)) {
        const file = join(cache.directory, name);
        if (!readFileSync(file).includes("application-at ") && !readFileSync(file).includes("semantic-graph ")) rmSync(file);
      }
    };
    const cold = await analyze(root, { cache });
    spoil();
    const packs = readdirSync(cache.directory).length;
    const warm = await analyze(root, { cache });
    expect([warm.reply, warm.graph, warm.unknowns, warm.subject, warm.semantics.sha256]).toEqual([cold.reply, cold.graph, cold.unknowns, cold.subject, cold.semantics.sha256]);
    expect(readdirSync(cache.directory)).toHaveLength(packs);

    // Same length, same times, other content.
    const { atime, mtime } = statSync(join(root, "b.js"));
    writeFileSync(join(root, "b.js"), "export const y = 1");
    utimesSync(join(root, "b.js"), atime, mtime);
    const changed = await analyze(root, { cache });
    expect(changed.reply.graph_sha256).not.toBe(cold.reply.graph_sha256);
    expect(changed.graph).toEqual((await analyze(root)).graph);
    const limited = await analyze(root, { cache, limits: { textFiles: 1 } });
    expect(limited.reply.coverage.state).toBe("partial");

    // Every pack damaged: everything is read again.
    for (const name of readdirSync(cache.directory)) {
      const bytes = readFileSync(join(cache.directory, name));
      bytes[bytes.byteLength - 1] = (bytes[bytes.byteLength - 1] ?? 0) ^ 1;
      writeFileSync(join(cache.directory, name), bytes);
    }
    expect((await analyze(root, { cache })).graph).toEqual(changed.graph);
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

import { spawn } from "node:child_process";
import { appendFileSync, chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deepOperations, ReaError } from "@rea/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { NativeOperationName } from "../src/native-operations.js";
import { AnnotationLog } from "../src/annotations/annotation-log.js";
import { AnnotationStore } from "../src/annotations/annotation-store.js";
import { handlerOf } from "../src/operations/handlers.js";
import { fakeQuery } from "./fake-program.js";

let directory = "";
let file = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "rea annotations é "));
  file = join(directory, "state", "annotations", "target.ndjson");
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function session(author = { name: "one", version: "1" }) {
  const query = fakeQuery({ stateFile: file, author });
  return (operation: NativeOperationName, params: object = {}) => {
    query.annotations.refresh();
    const { result } = handlerOf(operation).run(query, deepOperations[operation].params.parse(params));
    return deepOperations[operation].result.parse(result);
  };
}

function storeOf(image = "x86_64"): AnnotationStore {
  const store = new AnnotationStore(new AnnotationLog(file), image);
  store.refresh();
  return store;
}

describe("annotations", () => {
  test("a name is in force at once, in every result, and in a later session", () => {
    const run = session();
    expect(run("set_address_name", { address: "0x401040", name: "check\u202elicence" })).toBe(true);
    for (const ask of [run, session({ name: "two", version: "2" })]) {
      expect(ask("procedure_address", { procedure: "check\\u{202e}licence" })).toBe("0x401040");
      expect(ask("address_name", { address: "0x401040" })).toBe("check\\u{202e}licence");
      expect(ask("list_procedures", { offset: 3, limit: 1 })).toMatchObject({
        items: [{ procedure: { name_source: "annotation", sources: ["annotation", "prologue"] } }],
      });
      expect(ask("search_procedures", { pattern: "LICENCE" })).toMatchObject({ items: [{ address: "0x401040" }] });
      expect(ask("list_names", { address: "0x401040" })).toMatchObject({ items: [{ symbol: { source: "annotation" } }] });
    }
  });

  test("the last entry wins, empty text removes a comment, and a missing bookmark cannot be removed", () => {
    const run = session();
    run("set_comment", { address: "0x401000", comment: "first" });
    run("set_comment", { address: "0x401000", comment: "two\nlines\u0007" });
    run("set_inline_comment", { address: "0x401004", comment: "why" });
    expect(run("comment")).toBe("two\nlines\\u{7}");
    expect(run("analyze_function", { procedure: "main" })).toMatchObject({
      comments: { value: { items: [{ address: "0x401000", kind: "comment" }, { address: "0x401004", kind: "inline", text: "why" }] } },
    });
    run("set_comment", { address: "0x401000", comment: "" });
    expect(run("comment")).toBeNull();
    run("set_bookmark", { address: "0x401020" });
    run("set_bookmark", { address: "0x401004", name: "here" });
    expect(run("list_bookmarks")).toMatchObject({ items: [{ address: "0x401004", name: "here" }, { address: "0x401020", name: null }] });
    expect(run("unset_bookmark", { address: "0x401004" })).toBe(true);
    expect(run("unset_bookmark", { address: "0x401004" })).toBe(false);
    expect(run("list_bookmarks")).toMatchObject({ total: 1 });
  });

  test("naming many addresses names those that can be named and says why the others cannot", () => {
    const run = session();
    const names = [{ address: "0x401000", name: "start" }, { address: "0x1", name: "nowhere" }];
    expect(run("set_addresses_names", { names })).toMatchObject({
      items: [{ address: "0x401000", ok: true, reason: null }, { address: "0x1", ok: false, reason: expect.any(String) }],
    });
    expect(run("address_name", { address: "0x401000" })).toBe("start");
  });

  test("an address outside every mapping is refused and nothing is written", () => {
    const run = session();
    expect(() => run("set_comment", { address: "0x99999999", comment: "x" })).toThrow(ReaError);
    expect(existsSync(file)).toBe(false);
  });

  test("every entry tells who made it and when, in files that only the owner reads", () => {
    session({ name: "editor", version: "4.2" })("set_bookmark", { address: "0x401000" });
    const [line] = readFileSync(file, "utf8").trimEnd().split("\n");
    expect(JSON.parse(line ?? "")).toMatchObject({
      client: { name: "editor", version: "4.2" },
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      kind: "bookmark",
    });
    if (process.platform === "win32") return;
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(directory, "state", "annotations")).mode & 0o777).toBe(0o700);
  });

  test("the digest is over what is in force, not over how it came to be", () => {
    session()("set_address_name", { address: "0x401000", name: "a" });
    const first = storeOf().digest();
    session({ name: "other", version: "9" })("set_address_name", { address: "0x401000", name: "b" });
    expect(storeOf().digest()).not.toBe(first);
    session()("set_address_name", { address: "0x401000", name: "a" });
    expect(storeOf().digest()).toBe(first);
    expect(storeOf("arm64").digest()).toBeUndefined();
  });

  test("a damaged line is skipped, said, and does not swallow what follows", () => {
    session()("set_comment", { address: "0x401000", comment: "before" });
    appendFileSync(file, '{"v":1,"kind":"na');
    const run = session();
    run("set_comment", { address: "0x401004", comment: "after" });
    const store = storeOf();
    expect(store.comments("comment").map(({ text }) => text)).toEqual(["before", "after"]);
    expect(store.limitations()).toEqual(["1 damaged lines of the annotation log were skipped."]);
  });

  test("a log that may not be written is a typed error", (context) => {
    if (process.platform === "win32" || process.getuid?.() === 0) context.skip("permissions do not bind this user");
    chmodSync(directory, 0o500);
    expect(() => session()("set_bookmark", { address: "0x401000" })).toThrow(expect.objectContaining({ code: "access_denied" }));
    chmodSync(directory, 0o700);
  });

  test("where the state directory can hold nothing, reading finds no annotations and says so, and writing is a typed error", () => {
    file = join("/dev/null", ".rea", "state", "annotations", "target.ndjson");
    const store = storeOf();
    expect([store.isEmpty, store.digest()]).toEqual([true, undefined]);
    expect(store.limitations()).toMatchObject([expect.stringContaining("cannot be read")]);
    const run = session();
    expect(run("list_procedures", { limit: 1 })).toBeDefined();
    expect(() => run("set_comment", { address: "0x401000", comment: "x" })).toThrow(
      expect.objectContaining({ code: "artifact_operation_failed" }),
    );
  });

  test("two processes append at the same time and lose nothing", async () => {
    const count = 200;
    await Promise.all([writer("a", count), writer("b", count)]);
    const texts = storeOf().comments("comment").map(({ text }) => text);
    expect(texts).toHaveLength(2 * count);
    expect(storeOf().limitations()).toEqual([]);
  });
});

// A separate process that appends through the built package, one entry a write.
function writer(name: string, count: number): Promise<void> {
  const module = new URL("../dist/annotations/", import.meta.url);
  const first = name === "a" ? 0 : count;
  const code = `
    const { AnnotationLog } = await import(${JSON.stringify(new URL("annotation-log.js", module).href)});
    const { AnnotationStore } = await import(${JSON.stringify(new URL("annotation-store.js", module).href)});
    const store = new AnnotationStore(new AnnotationLog(${JSON.stringify(file)}), "x86_64");
    for (let i = 0; i < ${String(count)}; i += 1) {
      const value = ${JSON.stringify(name)}.repeat(500 + i);
      store.write([{ kind: "comment", va: BigInt(${String(first)} + i), action: "set", value }], { name: "w", version: "1" });
    }`;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: ["ignore", "ignore", "inherit"] });
    child.on("error", reject);
    child.on("exit", (status) => {
      if (status === 0) resolve();
      else reject(new Error(`the writer exited with ${String(status)}`));
    });
  });
}

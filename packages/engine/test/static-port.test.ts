import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { operations, silentProgress, type OperationContext } from "@rea/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EnginePool } from "../src/engine-pool.js";
import { createStaticPort } from "../src/static-port.js";
import { fileTarget } from "./file-target.js";

const context = (): OperationContext => ({ signal: new AbortController().signal, progress: silentProgress });

describe("format operations", () => {
  const port = createStaticPort(new EnginePool());
  let directory = "";
  let universal = "";

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "rea-static-"));
    universal = join(directory, "universal");
    writeFileSync(universal, universalFile());
  });
  afterAll(async () => {
    await port.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const target = () =>
    fileTarget(universal, { format: "mach-o-universal", architecture: "x86_64", available_architectures: ["x86_64", "arm64"] });

  test("list the slices of a universal file", async () => {
    const { result } = await port.list_architectures(target(), {}, context());
    const parsed = operations.list_architectures.result.parse(result);
    expect(parsed.architectures.map(({ architecture }) => architecture)).toEqual(["x86_64", "arm64"]);
  });

  test("look at the signatures of all slices unless one is asked for", async () => {
    const all = operations.inspect_signature.result.parse((await port.inspect_signature(target(), {}, context())).result);
    expect([all.verdict, all.trust, all.slices.map(({ architecture }) => architecture)]).toEqual(["unsigned", "not-evaluated", ["x86_64", "arm64"]]);
    const one = operations.inspect_signature.result.parse((await port.inspect_signature(target(), { architecture: "arm64" }, context())).result);
    expect(one.slices.map(({ architecture }) => architecture)).toEqual(["arm64"]);
  });

  test("describe the opened slice unless another is asked for, and state it", async () => {
    const opened = await port.inspect_macho(target(), {}, context());
    expect(opened.result).toMatchObject({ architecture: "x86_64" });
    expect(opened.resolved_parameters).toEqual({ architecture: "x86_64" });
    const asked = await port.inspect_macho(target(), { architecture: "arm64" }, context());
    expect(asked.result).toMatchObject({ architecture: "arm64" });
    expect(asked.resolved_parameters).toEqual({});
  });

  test("answer as their contract says", async () => {
    const params = operations.inspect_binary.params.parse({});
    const { result, confidence } = await port.inspect_binary(target(), params, context());
    expect(() => operations.inspect_binary.result.parse(result)).not.toThrow();
    expect(confidence).toBe("observed");
  });

  test("refuse content that is no executable with a typed error", async () => {
    const path = join(directory, "text");
    writeFileSync(path, "plain text");
    const text = fileTarget(path, { kind: "artifact", format: "file", architecture: null });
    await expect(port.list_architectures(text, {}, context())).rejects.toMatchObject({ code: "artifact_operation_failed" });
  });

  test("closing twice is safe", async () => {
    await port.close();
    await port.close();
    await expect(port.list_architectures(target(), {}, context())).resolves.toBeDefined();
  });
});

/** A universal header with two Mach-O slices that have no load commands. */
function universalFile(): Buffer {
  const file = Buffer.alloc(0x3000);
  file.writeUInt32BE(0xcafebabe, 0);
  file.writeUInt32BE(2, 4);
  for (const [index, cpu] of [0x01000007, 0x0100000c].entries()) {
    const at = 8 + index * 20;
    const offset = 0x1000 * (index + 1);
    const header = [cpu, index === 0 ? 3 : 0, offset, 32, 12];
    header.forEach((value, field) => file.writeUInt32BE(value, at + field * 4));
    [0xfeedfacf, cpu, index === 0 ? 3 : 0, 2, 0, 0, 0, 0].forEach((value, field) => file.writeUInt32LE(value, offset + field * 4));
  }
  return file;
}

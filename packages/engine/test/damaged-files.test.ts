import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deepOperations, operations, silentProgress, type DeepOperationName } from "@rea/core";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { Cancellation } from "../src/worker/cancellation.js";
import { TargetSession } from "../src/worker/target-session.js";

const program = "/bin/true";
const directory = mkdtempSync(join(tmpdir(), "rea-damaged-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
const cancelled = new Int32Array(new SharedArrayBuffer(4));

const questions: readonly (readonly [DeepOperationName, object])[] = [
  ["list_segments", {}],
  ["current_address", {}],
  ["read_bytes", { address: "0x1000", length: 4096 }],
  ["list_procedures", { limit: 500 }],
  ["list_names", { limit: 500 }],
  ["list_strings", { limit: 500 }],
  ["next_address", {}],
  ["search_strings", { pattern: "a" }],
  ["summarize_program", {}],
  ["xrefs", { address: "0x4000" }],
];

/** Every answer keeps its contract; every refusal is one that names its reason. */
async function interrogate(bytes: Uint8Array): Promise<void> {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const path = join(directory, sha256);
  writeFileSync(path, bytes);
  const session = new TargetSession({ path, sha256, bytes: bytes.length, architecture: "x86_64", available_architectures: [], raw: null }, { note: () => undefined });
  const ask = async (operation: string, params: unknown) => {
    const asker = { cursor: null, author: { name: "test", version: "1" }, stateDirectory: directory, cache: null };
    const call = { id: 1, operation, params, session: asker };
    try {
      return await session.answer({ call, cancellation: new Cancellation(cancelled, 1, operation), progress: silentProgress });
    } catch (error) {
      expect(error).toMatchObject({ name: "ReaError" });
      expect(["artifact_operation_failed", "capability_unavailable", "target_unavailable", "invalid_request"]).toContain(
        error instanceof Error && "code" in error ? error.code : error,
      );
      return undefined;
    }
  };
  for (const [operation, question] of questions) {
    const answer = await ask(operation, deepOperations[operation].params.parse(question));
    if (answer !== undefined) deepOperations[operation].result.parse(answer.result);
    if (operation !== "list_procedures" || answer === undefined) continue;
    for (const { address } of deepOperations.list_procedures.result.parse(answer.result).items.slice(0, 5)) {
      const dossier = await ask("analyze_function", deepOperations.analyze_function.params.parse({ procedure: address, include_assembly: true }));
      if (dossier !== undefined) deepOperations.analyze_function.result.parse(dossier.result);
    }
  }
  const described = await ask("inspect_binary", operations.inspect_binary.params.parse({}));
  if (described !== undefined) operations.inspect_binary.result.parse(described.result);
  rmSync(path);
}

describe.skipIf(process.platform !== "linux" || !existsSync(program))("damaged executables", () => {
  const valid = existsSync(program) ? readFileSync(program) : Buffer.alloc(0);
  const runs = Number(process.env["REA_FUZZ_RUNS"] ?? "12");

  test("a program with flipped bytes gives contract answers or typed refusals", async () => {
    const flips = fc.array(fc.tuple(fc.nat(valid.length - 1), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 40 });
    const headers = fc.array(fc.tuple(fc.nat(0x700), fc.integer({ min: 1, max: 255 })), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(flips, headers, async (everywhere, inHeaders) => {
        const bytes = Uint8Array.from(valid);
        for (const [at, mask] of [...everywhere, ...inHeaders]) bytes[at] = (bytes[at] ?? 0) ^ mask;
        await interrogate(bytes);
      }),
      { numRuns: runs },
    );
  });

  test("a program cut short gives contract answers or typed refusals", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(valid.length), async (length) => interrogate(valid.subarray(0, length))),
      { numRuns: runs },
    );
  });
});

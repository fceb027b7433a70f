import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jsonObject, processCaptureSchema } from "@rea/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCli } from "./run-cli.js";

const place = mkdtempSync(join(tmpdir(), "rea-process-comparison-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));
const options = { cwd: place, env: { ...process.env, HOME: join(place, "home"), NO_COLOR: "1" } };
const rea = (...args: string[]) => runCli(args, options);

describe.skipIf(process.platform !== "linux")("rea compare-process-captures", () => {
  const capture = async (text: string, ...outputs: string[]): Promise<void> => {
    const data = join(place, "data.txt");
    writeFileSync(data, text);
    writeFileSync(join(place, "scenario.json"), JSON.stringify({ executable: "cat", arguments: [data], timeout_ms: 20_000 }));
    expect((await rea("capture-process", "scenario.json", ...outputs)).status).toBe(0);
  };

  beforeAll(async () => {
    for (const name of ["a", "b"]) await capture("one\ntwo\n", "--output", `${name}.json`, "--save-evidence", `${name}.bundle`);
    await capture("one\ntwO\n", "--output", "c.json");
  }, 60_000);

  test("says that two runs are equivalent, from files and from bundles", async () => {
    for (const [left, right] of [["a.json", "b.json"], ["a.bundle", "b.bundle"]] as const) {
      const { stdout, status } = await rea("compare-process-captures", left, right, "--exit-code");
      expect([status, stdout.split("\n")[0]]).toEqual([0, "The two runs are equivalent."]);
    }
  });

  test("names the first difference, and exits with 1 when asked to", async () => {
    const { stdout, status } = await rea("compare-process-captures", "a.json", "c.json", "--exit-code");
    expect(status).toBe(1);
    expect(stdout).toContain("First divergence: terminal, line 2, column 3\n  in text\n  - two\\u{d}\n  + twO\\u{d}\n");
    expect((await rea("compare-process-captures", "a.json", "c.json")).status).toBe(0);
  });

  test("judges by a specification of traces", async () => {
    writeFileSync(join(place, "spec.json"), JSON.stringify({ version: 1, language: "finite_traces", events: [{ id: "end", source: "exit", exact: { code: 1 }, ignore_fields: ["signal", "reason"] }], traces: [["end"]] }));
    const { stdout, status } = await rea("compare-process-captures", "a.json", "b.json", "--trace-spec", "spec.json", "--exit-code");
    expect(status).toBe(1);
    expect(stdout).toContain("left: nonconforming");
  });

  test("refuses a capture that was changed, and what is none", async () => {
    const capture = processCaptureSchema.parse(JSON.parse(readFileSync(join(place, "a.json"), "utf8")));
    writeFileSync(join(place, "forged.json"), JSON.stringify({ ...capture, exit: { ...capture.exit, code: 9 } }));
    const forged = await rea("compare-process-captures", "forged.json", "b.json");
    expect([forged.status, forged.stderr]).toEqual([1, expect.stringContaining("does not match what it commits to (journal_sha256)")]);
    writeFileSync(join(place, "none.json"), "{}");
    expect((await rea("compare-process-captures", "none.json", "b.json")).status).toBe(1);
    expect((await rea("compare-process-captures", "missing.json", "b.json")).status).toBe(2);
  });
});

describe("rea run-replay-machine", () => {
  const machine = {
    initial_state: "out",
    states: ["out", "in"],
    transitions: [{ id: "login", from: "out", to: "in", trigger: "http", captures: [{ alias: "user", source: "body" }], actions: [{ kind: "http_response", data: "hi {{user}}", template: true }] }],
  };
  const run = async (value: unknown, ...more: string[]) => {
    writeFileSync(join(place, "machine.json"), JSON.stringify(value));
    return rea("run-replay-machine", "machine.json", ...more);
  };

  test("tells what came of each event", async () => {
    const { stdout, status } = await run({ machine, events: [{ kind: "http", data: "somebody-secret" }, { kind: "http" }] });
    expect(status).toBe(0);
    expect(stdout).toContain("1 of 2 events matched, 1 refused; out → in");
    expect(stdout).toContain("login → in  keeps user");
    expect(stdout).toContain("invalid_state");
    expect(stdout).not.toContain("somebody");
  });

  test("gives the whole answer as JSON, and an error that names the field", async () => {
    const { stdout } = await run({ machine, events: [] }, "--json");
    expect(jsonObject.parse(JSON.parse(stdout))).toMatchObject({ result: { final_state: "out", summary: { events: 0 } } });
    const bad = await run({ machine: { ...machine, initial_state: "nowhere" }, events: [] });
    expect([bad.status, bad.stderr]).toEqual([1, expect.stringContaining("machine")]);
  });
});

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "@rea/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCli } from "./run-cli.js";

const place = mkdtempSync(join(tmpdir(), "rea-evidence-operands-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));
const rea = (...args: string[]) => runCli(args, { cwd: place, env: { ...process.env, HOME: join(place, "home"), NO_COLOR: "1" } });
const program = "/usr/bin/true";
const envelope = z.looseObject({ evidence_id: z.string(), evidence: z.looseObject({}) });

describe.skipIf(!existsSync(program))("records as arguments (skipped: no /usr/bin/true on this host)", () => {
  let id = "";
  let entry = "";

  beforeAll(async () => {
    const overview = z.object({ result: z.looseObject({ entry_points: z.array(z.object({ address: z.string() })) }) });
    entry = overview.parse(JSON.parse((await rea("binary-overview", program, "--json")).stdout)).result.entry_points[0]?.address ?? "";
    const { stdout, status } = await rea("function", program, entry, "--include-assembly", "--json", "--save-evidence", "bundle.json");
    expect(status).toBe(0);
    const { evidence, evidence_id } = envelope.parse(JSON.parse(stdout));
    id = evidence_id;
    writeFileSync(join(place, "answer.json"), stdout);
    writeFileSync(join(place, "record.json"), JSON.stringify(evidence));
    writeFileSync(join(place, "records.json"), JSON.stringify([evidence]));
  }, 60_000);

  test("are a record of a bundle, a file of a record, a file of an answer, or JSON, and lead to one id", async () => {
    const given = [`bundle.json#${id}`, "record.json", "answer.json", "@record.json", readFileSync(join(place, "record.json"), "utf8")];
    const ids = [];
    for (const operand of given) {
      const { stdout, status } = await rea("tool", "find_changed_behavior", "--comparisons", operand, "--json");
      // A dossier is no comparison: every way to give it ends in the same refusal.
      expect(status).toBe(1);
      ids.push(z.object({ error: z.object({ details: z.object({ reason: z.string(), evidence_id: z.string() }) }) }).parse(JSON.parse(stdout)).error.details);
    }
    expect(ids).toEqual(given.map(() => ({ reason: "wrong_operation", evidence_id: id })));
    const start = JSON.stringify({ address: entry });
    const path = async (functions: string) => envelope.parse(JSON.parse((await rea("tool", "build_call_path", "--functions", functions, "--start", start, "--goal", start, "--json")).stdout)).evidence_id;
    expect(await path(`bundle.json#${id}`)).toBe(await path("@records.json"));
  }, 120_000);

  test("say what is wrong with them", async () => {
    const absent = await rea("tool", "compare_functions", "--left", "absent.json", "--right", "record.json");
    expect([absent.status, absent.stderr]).toEqual([2, expect.stringContaining("--left cannot be read")]);
    const lost = await rea("tool", "compare_functions", "--left", `bundle.json#ev_${"0".repeat(64)}`, "--right", "record.json", "--json");
    expect([lost.status, lost.stdout]).toEqual([1, expect.stringContaining('"missing"')]);
  });
});

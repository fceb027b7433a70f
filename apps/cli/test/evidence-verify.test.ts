import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "@rea/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCli } from "./run-cli.js";

const place = mkdtempSync(join(tmpdir(), "rea-evidence-verify-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));
const rea = (...args: string[]) => runCli(args, { cwd: place, env: { ...process.env, HOME: join(place, "home"), NO_COLOR: "1" } });
const program = "/usr/bin/true";

describe.skipIf(!existsSync(program))("rea evidence-verify --target (skipped: no /usr/bin/true on this host)", () => {
  beforeAll(async () => {
    expect((await rea("list-architectures", program, "--save-evidence", "bundle.json")).status).toBe(0);
  }, 60_000);

  test("says which records the bytes confirm, and exits with 0", async () => {
    const run = await rea("evidence-verify", "bundle.json", "--target", program, "--exit-code");
    expect([run.status, run.stdout.split("\n")[0]]).toEqual([0, "1 confirmed, 0 contradicted, 0 not re-derivable"]);
    expect(run.stdout).toContain("list_architectures");
  });

  test("does not judge by other bytes, and exits with 3 then", async () => {
    const run = await rea("evidence-verify", "bundle.json", "--target", "/usr/bin/env", "--exit-code", "--json");
    const { result } = z.object({ result: z.looseObject({ rederivation: z.looseObject({ summary: z.unknown(), records: z.array(z.looseObject({ reason: z.string() })) }) }) }).parse(JSON.parse(run.stdout));
    expect([run.status, result.rederivation.summary, result.rederivation.records[0]?.reason]).toEqual([3, { confirmed: 0, contradicted: 0, not_rederivable: 1 }, "other_target"]);
  });

  test("refuses options about a target without one, and a target that is not there", async () => {
    expect((await rea("evidence-verify", "bundle.json", "--exit-code")).status).toBe(2);
    const missing = await rea("evidence-verify", "bundle.json", "--target", "absent");
    expect([missing.status, missing.stderr]).toEqual([1, expect.stringContaining("absent")]);
  });

  test("takes records of an archive that no engine analyses", async () => {
    writeFileSync(join(place, "list.tar"), Buffer.alloc(1024));
    expect((await rea("inspect-artifact", "list.tar", "--save-evidence", "archive.json")).status).toBe(0);
    const run = await rea("evidence-verify", "archive.json", "--target", "list.tar", "--exit-code");
    expect([run.status, run.stdout.split("\n")[0]]).toEqual([0, "1 confirmed, 0 contradicted, 0 not re-derivable"]);
  });
});

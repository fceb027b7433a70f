import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { processCaptureSchema } from "@rea/core";
import { afterAll, describe, expect, it } from "vitest";
import { runCli } from "./run-cli.js";

const place = realpathSync(mkdtempSync(join(tmpdir(), "rea-cli-capture-")));
afterAll(() => rmSync(place, { recursive: true, force: true }));
const env = { ...process.env, REA_LOG_LEVEL: "silent" };

describe.skipIf(process.platform !== "linux")("rea capture-process", () => {
  it("runs what stands behind -- here, says what it touched, and writes the whole capture", async () => {
    const file = join(place, "capture.json");
    const words = ["sh", "-c", 'echo "in $(pwd) with $1"; echo x > made; exit 3', "sh", "--output"];
    const ran = await runCli(["capture-process", "--output", file, "--", ...words], { env, cwd: place });
    expect([ran.status, ran.stdout]).toEqual([0, expect.stringContaining("exited with 3")]);
    expect(ran.stdout).toContain(`in ${place} with --output`);
    expect(ran.stdout).toContain("+ made 2 bytes");
    const captured = processCaptureSchema.parse(JSON.parse(readFileSync(file, "utf8")));
    expect(captured.exit).toMatchObject({ code: 3, reason: "exited" });
    const played = await runCli(["replay-terminal", file], { env });
    expect(played.stdout).toContain(`in ${place} with --output`);
    const cast = await runCli(["replay-terminal", file, "--format", "asciicast"], { env });
    expect(JSON.parse(cast.stdout.split("\n")[0] ?? "")).toMatchObject({ version: 2, width: 80, height: 24 });
  });

  it("runs a scenario from a file, and names what is wrong with one", async () => {
    const file = join(place, "scenario.json");
    writeFileSync(file, JSON.stringify({ executable: "/bin/sh", arguments: ["-c", "echo from a file"] }));
    const ran = await runCli(["capture-process", file, "--json"], { env });
    expect(JSON.parse(ran.stdout)).toMatchObject({ result: { exit: { code: 0 } }, evidence: { predicate_type: "rea.process-capture/v4", authority: "runtime-observation" } });
    writeFileSync(file, JSON.stringify({ executable: "/bin/sh", argumnts: [] }));
    const wrong = await runCli(["capture-process", file], { env });
    expect([wrong.status, wrong.stderr]).toEqual([1, expect.stringContaining("scenario")]);
    const missing = await runCli(["capture-process", join(place, "nothing.json")], { env });
    expect(missing.status).toBe(2);
    const two = await runCli(["capture-process", file, file], { env });
    expect(two.status).toBe(2);
  });

  it("says so when the file of the capture cannot be written, after the program has been run", async () => {
    const full = "/dev/full";
    if (!existsSync(full)) return;
    const ran = await runCli(["capture-process", "--output", full, "--", "true"], { env, cwd: place });
    expect([ran.status, ran.stderr]).toEqual([1, expect.stringContaining("could not be written")]);
  });

  it("refuses to play what is no capture", async () => {
    const file = join(place, "other.json");
    writeFileSync(file, "{}");
    const ran = await runCli(["replay-terminal", file], { env });
    expect(ran.status).toBe(1);
  });
});

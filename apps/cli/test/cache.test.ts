import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCli } from "./run-cli.js";

const program = "/bin/ls";
const absent = process.platform === "linux" && existsSync(program) ? undefined : `${program} is not here`;

describe.skipIf(absent !== undefined)("rea cache", () => {
  let home = "";
  const directory = () => join(home, ".rea", "cache", "analysis");
  const rea = (...args: string[]) => runCli(args, { env: { ...process.env, HOME: home } });
  const resultOf = ({ stdout }: { readonly stdout: string }): unknown => {
    const value: unknown = JSON.parse(stdout);
    return typeof value === "object" && value !== null && "result" in value ? value.result : undefined;
  };

  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), "rea-home-"));
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  test("an analysis is kept by the first run, used by the next, listed, measured and cleared", async () => {
    expect(resultOf(await rea("cache", "list", "--json"))).toEqual({ directory: directory(), state: "missing", total_bytes: 0, entries: [], applications: { directory: join(home, ".rea", "cache", "applications"), state: "missing", total_bytes: 0, entries: [] } });
    const first = await rea("search", program, "main", "--json");
    const kept = readdirSync(directory()).map((name) => readFileSync(join(directory(), name)));
    expect(kept).toHaveLength(1);
    const second = await rea("search", program, "main", "--json");
    expect([first.status, second.status]).toEqual([0, 0]);
    expect(second.stdout).toBe(first.stdout);

    const bytes = kept[0]?.length;
    expect(resultOf(await rea("cache", "list", "--json"))).toMatchObject({ total_bytes: bytes, entries: [{ bytes, current_build: true }] });
    expect(resultOf(await rea("cache", "measure", "--json"))).toMatchObject({ state: "ready", analyses: 1, of_current_build: 1, total_bytes: bytes });
    expect((await rea("cache", "list")).stdout).toContain("target sha256");

    writeFileSync(join(directory(), "mine.txt"), "mine");
    expect(resultOf(await rea("cache", "clear", "--json"))).toMatchObject({ removed_files: 1, freed_bytes: bytes });
    expect(readdirSync(directory())).toEqual(["mine.txt"]);
  });

  test("what is kept of applications is listed, measured and cleared with it", async () => {
    const app = mkdtempSync(join(tmpdir(), "rea-app-"));
    writeFileSync(join(app, "package.json"), '{"name":"kept","version":"1.0.0","main":"a.js"}');
    writeFileSync(join(app, "a.js"), "fetch('https://kept.example/')");
    const [first, second] = [await rea("analyze", app, "--json"), await rea("analyze", app, "--json")];
    expect([first.status, second.status, second.stdout]).toEqual([0, 0, first.stdout]);
    const measured = resultOf(await rea("cache", "measure", "--json"));
    expect(measured).toMatchObject({ applications: { state: "ready", maximum_bytes: 512 * 1024 * 1024 } });
    const inside = join(home, ".rea", "cache", "applications");
    writeFileSync(join(inside, "mine.txt"), "mine");
    expect(resultOf(await rea("cache", "clear", "--json"))).toMatchObject({ applications: { directory: inside } });
    expect(readdirSync(inside)).toEqual(["mine.txt"]);
    rmSync(app, { recursive: true, force: true });
  });

  test("a cache that is a link is not cleared, and the error says so", async () => {
    rmSync(directory(), { recursive: true, force: true });
    const elsewhere = mkdtempSync(join(tmpdir(), "rea-elsewhere-"));
    const name = `${"0".repeat(64)}.program`;
    writeFileSync(join(elsewhere, name), "mine");
    symlinkSync(elsewhere, directory());
    const done = await rea("cache", "clear", "--json");
    expect([done.status, JSON.parse(done.stdout)]).toMatchObject([1, { error: { code: "access_denied" } }]);
    expect(readdirSync(elsewhere)).toEqual([name]);
    rmSync(elsewhere, { recursive: true, force: true });
  });

  test("an action that does not exist is a usage error", async () => {
    const done = await rea("cache", "empty");
    expect([done.status, done.stderr]).toEqual([2, expect.stringContaining("list")]);
  });
});

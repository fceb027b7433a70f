import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createHopperProvider } from "../src/index.js";
import { ask, clientOf, newLauncher, sampleProgram, standInAbsent, standInProvider, targetOf, temporaryDirectory, writeStandIn } from "./stand-in.js";

describe.skipIf(standInAbsent !== undefined)("a session with Hopper", () => {
  test("is started as Hopper's command line says, on a display of its own, and with no secret to be seen", async () => {
    const log = join(temporaryDirectory(), "log");
    const env = { DISPLAY: ":0", WAYLAND_DISPLAY: "wayland-0", SECRET: "s", LANG: "C.UTF-8" };
    const client = await clientOf(standInProvider({ log }, { env }), targetOf(sampleProgram()));
    await ask(client, "current_document");
    const [line = ""] = readFileSync(log, "utf8").split("\n");
    const { arguments: args, environment, pid } = JSON.parse(line);
    expect(args.slice(0, 4)).toEqual(["-l", "ELF", "--analysis", "--python"]);
    expect(args.slice(5)).toEqual(["--executable", sampleProgram()]);
    expect(environment).toMatchObject({ LANG: "C.UTF-8", QT_QPA_PLATFORM: "xcb" });
    expect(environment.DISPLAY).toMatch(/^:[0-9]+$/);
    expect(Object.keys(environment)).not.toEqual(expect.arrayContaining(["WAYLAND_DISPLAY"]));
    expect(Object.keys(environment)).not.toContain("SECRET");
    const bootstrap = readFileSync(args[4], "utf8");
    expect(statSync(args[4]).mode & 0o777).toBe(0o600);
    const [token = "missing"] = /[0-9a-f]{64}/.exec(bootstrap.slice(bootstrap.indexOf("token"))) ?? [];
    expect(line).not.toContain(token);
    expect(client.runtimeLineage()).toMatchObject({ status: "verified", launcher_pid: pid });
    await client.close();
  });

  test("opens a database as one, and knows its document by it", async () => {
    const database = join(temporaryDirectory(), "work.hop");
    writeFileSync(database, "a database");
    const log = join(temporaryDirectory(), "log");
    const settings = { database, executable: sampleProgram(), document_name: "work.hop", log };
    const target = targetOf(database, { kind: "database", format: "hopper", architecture: null, available_architectures: [] });
    const client = await clientOf(standInProvider(settings), target);
    expect((await ask(client, "current_document")).result).toBe("work.hop");
    const { arguments: args } = JSON.parse(readFileSync(log, "utf8").split("\n")[0] ?? "");
    expect([args[0], ...args.slice(3)]).toEqual(["--analysis", "--database", database]);
    await client.close();
  });

  test("is given up for a launcher that is another one than when the target was opened", async () => {
    const path = writeStandIn(temporaryDirectory());
    const provider = createHopperProvider({ env: { HOPPER_LAUNCHER_PATH: path }, launcher: newLauncher() });
    const client = await clientOf(provider, targetOf(sampleProgram()));
    appendFileSync(path, "# updated\n");
    await expect(ask(client, "current_document")).rejects.toMatchObject({ code: "provider_unavailable", details: { reason: "version_changed" } });
    expect(await client.close()).toEqual({ remaining: [] });
  });

  test("goes on after its engine died, with a new one of the same run", async () => {
    const client = await clientOf(standInProvider(), targetOf(sampleProgram()));
    await ask(client, "current_document");
    const first = Object(client.runtimeLineage()).launcher_pid;
    process.kill(first, "SIGKILL");
    await expect.poll(() => client.alive?.(), { timeout: 30_000 }).toBe(false);
    expect((await ask(client, "current_document")).result).toBe("sample");
    expect(Object(client.runtimeLineage()).launcher_pid).not.toBe(first);
    expect(await client.close()).toEqual({ remaining: [] });
  });

  test("never keeps the user interface from running, and a search that is given up ends", async () => {
    const beat = join(temporaryDirectory(), "beat");
    // Each move of such a machine is a new one: the worst that a pattern of this length can ask for.
    const strings = Array.from({ length: 3_000 }, (_, index) => Array.from({ length: 400 }, (_each, at) => String.fromCodePoint(0x4e00 + ((index * 401 + at * 7) % 20_000))).join(""));
    const client = await clientOf(standInProvider({ beat, strings }), targetOf(sampleProgram()));
    await ask(client, "current_document");
    const pid = Object(client.runtimeLineage()).launcher_pid;
    const controller = new AbortController();
    const search = ask(client, "search_strings", { pattern: "(?:[^a]{0,300}[^b]{0,300}){3}[a-z]$", mode: "regex" }, { signal: controller.signal });
    search.catch(() => undefined);
    const turns = (): number => Number(readFileSync(beat, "utf8") || "0");
    await sleep(300);
    const before = turns();
    await expect.poll(turns, { timeout: 30_000 }).toBeGreaterThan(before + 20);
    expect(client.activity().active).toMatchObject({ operation: "search_strings", caller_state: "waiting" });
    controller.abort();
    await expect(search).rejects.toMatchObject({ code: "cancelled" });
    expect((await ask(client, "current_document")).result).toBe("sample");
    expect(Object(client.runtimeLineage()).launcher_pid).toBe(pid);
    await client.close();
  });

  test("without room for its private directory is a typed error, and nothing is left", async (context) => {
    const parent = temporaryDirectory("small");
    if (!mountSmall(parent)) return context.skip("no small file system can be mounted here");
    try {
      const client = await clientOf(standInProvider({}, { parents: [parent] }), targetOf(sampleProgram()));
      await expect(ask(client, "current_document")).rejects.toMatchObject({ code: "provider_unavailable", details: { reason: "socket_directory_unusable", errno: "ENOSPC" } });
      expect(await client.close()).toEqual({ remaining: [] });
      expect(readdirSync(parent).filter((name) => name !== "filler")).toEqual([]);
    } finally {
      execFileSync("umount", [parent]);
    }
  });

  test("closes within 1.5 s from idle", async () => {
    const client = await clientOf(standInProvider(), targetOf(sampleProgram()));
    await ask(client, "current_document");
    const started = performance.now();
    expect(await client.close()).toEqual({ remaining: [] });
    // The figure itself is measured elsewhere; here only that nothing waits for a deadline.
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

/** A file system of one megabyte that has room for names and not for what is in files; false where none can be mounted. */
function mountSmall(directory: string): boolean {
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m,mode=0700", "tmpfs", directory]).status !== 0) return false;
  spawnSync("dd", ["if=/dev/zero", `of=${join(directory, "filler")}`, "bs=4096", "count=256"]);
  return true;
}

import { existsSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OwnedProcess } from "@rea/lineage";
import { describe, expect, test } from "vitest";
import { createHopperProvider } from "../src/index.js";
import { ask, clientOf, newLauncher, sampleProgram, standInAbsent, targetOf, temporaryDirectory, writeStandIn } from "./stand-in.js";

/** A host on which the launcher hands the file to an application that somebody else starts, as on macOS. */
function otherHost() {
  const place = temporaryDirectory();
  const programs = join(place, "Hopper Disassembler.app", "Contents", "MacOS");
  mkdirSync(programs, { recursive: true });
  const [handed, opened] = [join(place, "handed"), join(place, "opened")];
  const script = (path: string, text: string): string => {
    writeFileSync(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    return path;
  };
  const launcher = script(join(programs, "hopper"), `printf '%s\\n' "$@" > "${handed}.part"; mv "${handed}.part" "${handed}"; exit 0`);
  const opener = script(join(place, "open"), `printf '%s\\n' "$@" > "${opened}"`);
  const application = writeStandIn(place, {}, "application");
  const system = newLauncher();
  /** What the system does with what it was handed. */
  const startApplication = async (): Promise<OwnedProcess> => {
    await expect.poll(() => existsSync(handed), { timeout: 30_000 }).toBe(true);
    const args = readFileSync(handed, "utf8").trimEnd().split("\n");
    return system.start({ executable: application, arguments: args, environment: { PATH: "/usr/bin:/bin" }, workingDirectory: "/", signal: new AbortController().signal, deadlineMs: 600_000 });
  };
  const host = { opener };
  const provider = createHopperProvider({ env: { HOPPER_LAUNCHER_PATH: launcher }, launcher: newLauncher(), platform: "darwin", host });
  return { provider, startApplication, opened, bundle: join(place, "Hopper Disassembler.app"), handed };
}

describe.skipIf(standInAbsent !== undefined)("a Hopper that is not ours", () => {
  test("is woken hidden, handed the file, asked, told to end its bridge, and left alone", async () => {
    const { provider, startApplication, opened, bundle } = otherHost();
    const client = await clientOf(provider, targetOf(sampleProgram()));
    const asked = ask(client, "current_document");
    const application = await startApplication();
    expect((await asked).result).toBe("sample");
    expect(readFileSync(opened, "utf8").trimEnd().split("\n")).toEqual(["-g", "-j", "-a", bundle]);
    expect(client.runtimeLineage()).toMatchObject({ status: "unavailable" });
    expect(await client.close()).toEqual({ remaining: [] });
    expect((await application.observe()).status).toBe("verified");
    await application.close();
  });

  test("that ends is noticed by its connection, and the next call hands the file over again", async () => {
    const { provider, startApplication, handed } = otherHost();
    const client = await clientOf(provider, targetOf(sampleProgram()));
    const first = ask(client, "current_document");
    const application = await startApplication();
    await first;
    unlinkSync(handed);
    await application.close();
    await expect.poll(() => client.alive?.(), { timeout: 30_000 }).toBe(false);
    const second = ask(client, "current_document");
    await startApplication();
    expect((await second).result).toBe("sample");
    expect(await client.close()).toEqual({ remaining: [] });
  });

  test("that is never started is a timeout, and nothing is left", async () => {
    const { provider } = otherHost();
    const short = createHopperProvider({ env: { HOPPER_LAUNCHER_PATH: "/bin/true", REA_HOPPER_STARTUP_TIMEOUT_MS: "1500" }, launcher: newLauncher(), platform: "darwin", host: { opener: null } });
    expect(provider.inspectAvailability().status).toBe("available");
    const client = await clientOf(short, targetOf(sampleProgram()));
    await expect(ask(client, "current_document")).rejects.toMatchObject({ code: "provider_timeout", details: { phase: "engine_connect" } });
    expect(await client.close()).toEqual({ remaining: [] });
  });
});

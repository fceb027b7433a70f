import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { claimDirectory, removeTree, sweepStale } from "../src/owned-directories.js";

const library = join(import.meta.dirname, "..", "dist", "index.js");
let parent = "";
beforeEach(() => {
  parent = realpathSync(mkdtempSync(join(tmpdir(), "rea-owned-test-")));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

/** A directory that another process claims, which is killed then. */
async function abandoned(name: string): Promise<string> {
  const path = join(parent, name);
  mkdirSync(path, { mode: 0o700 });
  const script = `import { claimDirectory } from ${JSON.stringify(library)}; await claimDirectory(${JSON.stringify(path)}); console.log("done"); setInterval(() => undefined, 1000);`;
  const owner = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  await once(owner.stdout, "data");
  expect(await sweepStale(parent)).toBe(0);
  owner.kill("SIGKILL");
  await once(owner, "exit");
  return path;
}

describe.skipIf(process.platform !== "linux")("temporary directories of killed owners", () => {
  it("stay while the owner lives, and are removed after", async () => {
    const path = await abandoned("rea-capture-AbCd12");
    mkdirSync(join(path, "home", "closed"), { recursive: true });
    writeFileSync(join(path, "home", "closed", "file"), "x");
    chmodSync(join(path, "home", "closed"), 0o500);
    expect(await sweepStale(parent)).toBe(1);
    expect(existsSync(path)).toBe(false);
  });

  it("are told by the start time where the pid was given out again", async () => {
    const path = join(parent, "rea-engine-AbCd12");
    mkdirSync(path, { mode: 0o700 });
    await claimDirectory(path);
    const owner = join(path, "owner");
    writeFileSync(owner, readFileSync(owner, "utf8").replace(/\n\d+\n/, "\n1\n"));
    expect(await sweepStale(parent)).toBe(1);
  });

  it.each([
    ["another name", "rea-other-AbCd12", () => undefined],
    ["no owner told", "rea-capture-AbCd12", (path: string) => rmSync(join(path, "owner"))],
    ["an owner of another boot or namespace", "rea-capture-AbCd12", (path: string) => writeFileSync(join(path, "owner"), "4194304\n1\n0123456789abcdef\n")],
    ["a mode that lets others in", "rea-capture-AbCd12", (path: string) => chmodSync(path, 0o755)],
  ])("are left with %s", async (_what, name, change) => {
    const path = await abandoned(name);
    change(path);
    expect(await sweepStale(parent)).toBe(0);
    expect(existsSync(path)).toBe(true);
  });

  it("are left when they are links, with what the links name", async () => {
    const path = await abandoned("elsewhere");
    symlinkSync(path, join(parent, "rea-capture-AbCd12"));
    expect(await sweepStale(parent)).toBe(0);
    expect(existsSync(join(path, "owner"))).toBe(true);
  });

  it("go with directories that were closed to their owner, and links in them are not followed", () => {
    const path = join(parent, "tree");
    mkdirSync(join(path, "a", "b"), { recursive: true });
    writeFileSync(join(parent, "kept"), "x");
    symlinkSync(parent, join(path, "a", "link"));
    chmodSync(join(path, "a", "b"), 0o000);
    chmodSync(join(path, "a"), 0o500);
    expect(removeTree(path)).toBe(true);
    expect([existsSync(path), existsSync(join(parent, "kept"))]).toEqual([false, true]);
  });
});

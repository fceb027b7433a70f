// Installs the dependencies when they are missing or the lockfile changed since the last installation.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { root } from "./workspace.mjs";

// Kept inside node_modules: deleting node_modules also forgets the installation.
const stampFile = join(root, "node_modules", ".rea-installed");
const lockDirectory = join(root, ".install-lock");
const lockPatienceMs = 10 * 60_000;

export async function ensureInstalled() {
  if (isInstalled()) return;
  await withLock(async () => {
    if (isInstalled()) return;
    const [{ say }, { runPnpm }] = await Promise.all([import("./say.mjs"), import("./pnpm.mjs")]);
    say("installing dependencies (once, and again when the lockfile changes)");
    const { status, output } = runPnpm(["install", "--frozen-lockfile"]);
    if (status !== 0) {
      process.stderr.write(output);
      throw new Error(`the installation of dependencies failed (pnpm exit code ${status})`);
    }
    writeFileSync(stampFile, lockfileDigest());
  });
}

function isInstalled() {
  try {
    return readFileSync(stampFile, "utf8") === lockfileDigest();
  } catch (error) {
    if (error.code === "ENOENT") return false;
    throw error;
  }
}

function lockfileDigest() {
  return createHash("sha256").update(readFileSync(join(root, "pnpm-lock.yaml"))).digest("hex");
}

// Two first starts at once must not install into the same directory. Creating a directory is atomic everywhere.
async function withLock(work) {
  while (!takeLock()) await sleep(200);
  const release = () => rmSync(lockDirectory, { recursive: true, force: true });
  process.once("exit", release);
  try {
    await work();
  } finally {
    process.removeListener("exit", release);
    release();
  }
}

function takeLock() {
  try {
    mkdirSync(lockDirectory);
    writeFileSync(join(lockDirectory, "pid"), String(process.pid));
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    if (isAbandoned()) rmSync(lockDirectory, { recursive: true, force: true });
    return false;
  }
}

// A killed start leaves its lock behind; the next one takes it over when that process is gone.
function isAbandoned() {
  const taken = statSync(lockDirectory, { throwIfNoEntry: false });
  if (!taken) return false;
  const ageMs = Date.now() - taken.mtimeMs;
  try {
    process.kill(Number(readFileSync(join(lockDirectory, "pid"), "utf8")), 0);
    return ageMs > lockPatienceMs;
  } catch {
    return ageMs > 2_000;
  }
}

import { randomUUID } from "node:crypto";
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";

/** How long what was told to end may take to be gone; generous, since nothing may depend on the machine's speed. */
const goneWithinMs = 30_000;

/** What is still there of the engines that lived in a room. */
export interface RoomLeftovers {
  /** Pids. */
  readonly processes: readonly number[];
  /** Listening or connected Unix sockets in the room, by path within it. */
  readonly sockets: readonly string[];
  /** Everything in `parent`, by name. */
  readonly directories: readonly string[];
}

export const nothingLeft: RoomLeftovers = { processes: [], sockets: [], directories: [] };

/**
 * A place of its own for the engines of one test. An adapter that makes its private directories in `parent` (and, where it
 * can, gives its engine `environment`) leaves traces only here, so that a test can say that none is left.
 */
export class EngineRoom {
  /** The parent for private directories: real, absolute, mode 0700; its last element is the given name. */
  readonly parent: string;
  /** A text that nobody else on this host has. */
  readonly mark = `rea-room-${randomUUID()}`;
  readonly #root: string;

  /** `name` may hold blanks, line feeds and any other text that a directory can be called. */
  constructor(name = "engines") {
    this.#root = realpathSync(mkdtempSync(join(tmpdir(), "rea-room-")));
    this.parent = join(this.#root, name);
    mkdirSync(this.parent, { mode: 0o700 });
  }

  /** For an engine's environment, where the adapter passes one on; its private directory alone is enough to find it. */
  get environment(): { readonly REA_TEST_ROOM: string } {
    return { REA_TEST_ROOM: this.mark };
  }

  /** A fresh directory beside `parent`, for installations and targets of the test; not looked at for leftovers. */
  makePlace(name: string): string {
    const path = join(this.#root, name);
    mkdirSync(path, { recursive: true });
    return path;
  }

  leftovers(): RoomLeftovers {
    return { processes: this.#processes(), sockets: this.#sockets(), directories: readdirSync(this.parent).sort() };
  }

  /** Waits until no process, socket or directory of any engine of this room is left; fails with what is. */
  async expectNothingLeft(): Promise<void> {
    const deadline = Date.now() + goneWithinMs;
    let left = this.leftovers();
    while (isSomething(left) && Date.now() < deadline) {
      await sleep(20);
      left = this.leftovers();
    }
    expect(left).toEqual(nothingLeft);
  }

  /** Removes the room; for the end of a test, after it looked. */
  remove(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }

  /** Live processes, other than this one, that run in the room or whose command line, environment or open files name it. */
  #processes(): number[] {
    const pids = readdirSync("/proc").filter((name) => /^[0-9]+$/.test(name) && Number(name) !== process.pid);
    return pids.filter((pid) => isLive(pid) && this.#isOfRoom(pid)).map(Number);
  }

  #isOfRoom(pid: string): boolean {
    const base = `/proc/${pid}`;
    const texts = [readBytes(`${base}/cmdline`), readBytes(`${base}/environ`)];
    if (texts.some((text) => text.includes(this.mark) || text.includes(this.parent))) return true;
    const links = [`${base}/cwd`, ...openFilesOf(base)].map(linkOf);
    return links.some((path) => path.startsWith(this.parent));
  }

  #sockets(): string[] {
    // A name may hold line feeds, so the list cannot be read by lines.
    const [, ...pieces] = readBytes("/proc/net/unix").toString("utf8").split(`${this.parent}/`);
    return pieces.map((piece) => piece.split("\n", 1)[0] ?? "");
  }
}

/** Why rooms cannot be looked over on this host, or undefined. */
export const roomsAbsent = process.platform === "linux" ? undefined : "what is left of an engine is read from /proc, which this host does not have";

function isSomething({ processes, sockets, directories }: RoomLeftovers): boolean {
  return processes.length + sockets.length + directories.length > 0;
}

function isLive(pid: string): boolean {
  return !/^\d+ \(.*\) [ZX] /s.test(readBytes(`/proc/${pid}/stat`).toString("latin1"));
}

function openFilesOf(base: string): string[] {
  try {
    return readdirSync(`${base}/fd`).map((name) => `${base}/fd/${name}`);
  } catch {
    return [];
  }
}

function linkOf(path: string): string {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : "";
  } catch {
    return "";
  }
}

/** Nothing when it cannot be read: the process has gone, or is another user's. */
function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0);
  }
}

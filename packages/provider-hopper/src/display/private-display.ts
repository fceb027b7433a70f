import { randomBytes } from "node:crypto";
import { lstatSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { throwIfAborted } from "@rea/core";
import type { OwnedProcess, ProcessLauncher } from "@rea/lineage";
import { startFailure } from "../launch/start-failure.js";
import { authorityFile, cookieBytes } from "./x-authority.js";
import { XConnection, type XOpening } from "./x-connection.js";

/** All that a display is made with; nothing else has been tried with Hopper. */
const displayGeometry = { width: 1280, height: 1024, depth: 24 } as const;

export interface DisplayRequest {
  readonly launcher: ProcessLauncher;
  /** Absolute path of Xvfb. */
  readonly program: string;
  /** Writes a file into the session's private directory, for our eyes only; returns its path. */
  readonly writeFile: (name: string, content: Uint8Array) => Promise<string>;
  readonly workingDirectory: string;
  readonly signal: AbortSignal;
  /** Gets the server as soon as it runs, so that it is ended whatever happens next. */
  readonly started: (server: OwnedProcess) => void;
}

/** A display of our own, with nobody else on it. */
export interface PrivateDisplay {
  readonly name: string;
  readonly authority: string;
  readonly server: OwnedProcess;
  /** Our own connection; close it. */
  readonly connection: XConnection;
}

const deadlineMs = 2_147_483_647;
const upWithinMs = 20_000;
const lookEveryMs = 20;

/**
 * Starts a virtual display that only holders of a fresh cookie can use, and checks that it is so: the server lets our
 * cookie in and another one not, has the size that was asked for, and is a process we own. Throws `provider_unavailable`
 * with the reason of what is not so.
 */
export async function openPrivateDisplay(request: DisplayRequest): Promise<PrivateDisplay> {
  const { launcher, program, workingDirectory, signal } = request;
  const cookie = randomBytes(cookieBytes);
  const authority = await request.writeFile("display.xauth", authorityFile(cookie));
  const { width, height, depth } = displayGeometry;
  const screen = `${String(width)}x${String(height)}x${String(depth)}`;
  const server = await launcher.start({
    executable: program,
    arguments: ["-displayfd", "1", "-screen", "0", screen, "-nolisten", "tcp", "-noreset", "-auth", authority],
    environment: { PATH: "/usr/bin:/bin" },
    workingDirectory,
    signal,
    deadlineMs,
    keep: "tail",
  });
  request.started(server);
  const number = await displayNumber(server, signal);
  const place = inodeOf(number);
  void server.ended.then(() => removeSocket(number, place));
  const connection = await admittedWith(cookie, { number, signal });
  try {
    await checkStrangers({ number, signal });
    checkGeometry(connection);
    await checkOwner(server);
  } catch (error) {
    connection.close();
    throw error;
  }
  return { name: `:${String(number)}`, authority, server, connection };
}

/** The server writes the number of the display it chose to its output once it can be connected to. */
async function displayNumber(server: OwnedProcess, signal: AbortSignal): Promise<number> {
  let over = false;
  void server.ended.then(() => (over = true));
  const until = performance.now() + upWithinMs;
  for (;;) {
    throwIfAborted(signal, "start_engine");
    const [, digits] = /^([0-9]{1,5})\n/.exec(server.output().stdout.bytes.toString("latin1")) ?? [];
    if (digits !== undefined) return Number(digits);
    if (over || performance.now() > until) throw startFailure("private_display_unavailable", { server_exited: over });
    await sleep(lookEveryMs);
  }
}

interface Door {
  readonly number: number;
  readonly signal: AbortSignal;
}

async function admittedWith(cookie: Buffer, door: Door): Promise<XConnection> {
  const opening = await knock(door, cookie);
  if (opening.admitted) return opening.connection;
  throw startFailure("display_authorization_failed", { admitted: false });
}

/** A server that takes any cookie is open to every program of this host. */
async function checkStrangers(door: Door): Promise<void> {
  const opening = await knock(door, randomBytes(cookieBytes));
  if (!opening.admitted) return;
  opening.connection.close();
  throw startFailure("display_authorization_failed", { admitted: true });
}

async function knock({ number, signal }: Door, cookie: Buffer): Promise<XOpening> {
  try {
    return await XConnection.open(socketOf(number), cookie, AbortSignal.any([signal, AbortSignal.timeout(upWithinMs)]));
  } catch (error) {
    throwIfAborted(signal, "start_engine");
    throw startFailure("private_display_unavailable", {}, error);
  }
}

function checkGeometry({ setup }: XConnection): void {
  const { width, height, depth } = displayGeometry;
  if (setup.screens === 1 && setup.width === width && setup.height === height && setup.depth === depth) return;
  throw startFailure("unexpected_geometry", { width: setup.width, height: setup.height, depth: setup.depth, screens: setup.screens });
}

/** Only our server knows the cookie; that it is still our process is looked at all the same. */
async function checkOwner(server: OwnedProcess): Promise<void> {
  const observed = await server.observe();
  if (observed.status === "verified") return;
  throw startFailure("process_ownership_mismatch", { what: "display", lineage: observed.reason });
}

/** A server that had to be killed leaves its socket; it is removed when it is still that one, and not a later server's. */
function removeSocket(number: number, place: bigint | null): void {
  if (place !== null && inodeOf(number) === place) rmSync(socketOf(number), { force: true });
}

function inodeOf(number: number): bigint | null {
  return lstatSync(socketOf(number), { bigint: true, throwIfNoEntry: false })?.ino ?? null;
}

function socketOf(number: number): string {
  return `/tmp/.X11-unix/X${String(number)}`;
}

import { text } from "node:stream/consumers";
import { createRunMark, findPrlimit, markedCommand, type RunMark } from "./run-mark.js";
import type { ProcessTable } from "./process-table.js";
import { loadStarter, startChild, type Child, type ChildCommand } from "./start-child.js";
import { openExecutable, type VerifiedExecutable } from "./verified-executable.js";
import { within } from "./within.js";

/** How one run is marked. */
export interface PreparedMark {
  readonly mark: RunMark;
  /** Gives the limit and becomes the program. */
  readonly tool: VerifiedExecutable;
  readonly command: (command: ChildCommand) => ChildCommand;
}

const triedWithinMs = 5_000;
let working: Promise<boolean> | undefined;

/** A mark for a run, with its tool opened; or why this host gives none. */
export async function prepareMark(table: ProcessTable, signal: AbortSignal): Promise<PreparedMark | { readonly refused: string }> {
  const path = findPrlimit();
  if (path === null || table.source !== "procfs") return { refused: "there is no prlimit program of util-linux" };
  const mark = createRunMark(table);
  if (mark === null) return { refused: "our own limit on real-time CPU time cannot be told or leaves no room" };
  if (!(await (working ??= tryMark(path, mark)))) return { refused: "the system does not keep a limit on real-time CPU time" };
  const tool = await openExecutable(path, signal);
  return { mark, tool, command: (command) => markedCommand(command, tool.path, mark) };
}

/** Whether a process started with the mark has it, as it says itself. */
async function tryMark(path: string, mark: RunMark): Promise<boolean> {
  const asks = { file: path, args: ["--rttime", "--output=HARD", "--noheadings", "--raw"], environment: {}, workingDirectory: "/", stdin: "closed", control: false } as const;
  try {
    const child = startChild(await loadStarter(), markedCommand(asks, path, mark));
    child.stderr.resume();
    let said = "";
    await within(text(child.stdout).then((all) => (said = all)), triedWithinMs);
    child.kill();
    return said.trim() === mark.toString();
  } catch {
    return false;
  }
}

/** What `prlimit` says when it cannot become the program (util-linux: 127 for a missing one, 126 for any other reason). */
export async function refusedByTool(child: Child, tool: string): Promise<"ENOENT" | "EACCES" | null> {
  const { code = null } = child.exit() ?? {};
  if (code !== 126 && code !== 127) return null;
  const piece = await firstPiece(child);
  if (piece === null) return null;
  child.stderr.unshift(piece);
  const said = `${tool.slice(tool.lastIndexOf("/") + 1)}: `;
  if (piece.toString("latin1", 0, said.length) !== said) return null;
  return code === 127 ? "ENOENT" : "EACCES";
}

async function firstPiece({ stderr }: Child): Promise<Buffer | null> {
  const readable = new Promise<void>((resolve) => {
    stderr.once("readable", resolve);
    stderr.once("end", resolve);
    stderr.once("close", resolve);
  });
  await within(readable, triedWithinMs);
  const piece: unknown = stderr.read();
  stderr.pause();
  return Buffer.isBuffer(piece) ? piece : null;
}

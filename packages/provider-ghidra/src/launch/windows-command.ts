import { win32 } from "node:path";
import { ReaError } from "@rea/core";

const longestLine = 30_000;
/** What the command interpreter gives a meaning to, inside quotes too, and control characters. */
const refused = /["%^!&|<>\u0000-\u001f\u007f]/;

/**
 * A batch file can only be run by the command interpreter. Every token is quoted, and what quotes do not protect is refused:
 * `invalid_request` naming the token by its position, never by its text.
 */
export function windowsCommandLine(launcher: string, args: readonly string[]): string {
  const tokens = [launcher, ...args];
  const bad = tokens.findIndex((token) => token === "" || refused.test(token) || token.endsWith("\\"));
  if (bad >= 0) throw refusal(`Token ${String(bad)} of Ghidra's command line holds a character that Windows' command interpreter would read as its own.`);
  const line = `"${tokens.map((token) => `"${token}"`).join(" ")}"`;
  if (line.length > longestLine) throw refusal(`Ghidra's command line is longer than ${String(longestLine)} characters.`);
  return line;
}

export interface WindowsCommand {
  /** The command interpreter. */
  readonly executable: string;
  /** To be given on as they are: the last one is a whole line, already quoted. */
  readonly arguments: readonly string[];
}

/** Without start-up commands (`/d`), with quotes as given (`/s`), without delayed expansion (`/v:off`). */
export function windowsCommand(env: Readonly<Record<string, string | undefined>>, launcher: string, args: readonly string[]): WindowsCommand {
  return { executable: commandInterpreter(env), arguments: ["/d", "/s", "/v:off", "/c", windowsCommandLine(launcher, args)] };
}

/** By absolute path below the system directory; `ComSpec` may name anything. */
function commandInterpreter(env: Readonly<Record<string, string | undefined>>): string {
  const root = env["SystemRoot"] ?? env["SYSTEMROOT"] ?? "C:\\Windows";
  if (!/^[A-Za-z]:\\[^"%^!&|<>]*$/.test(root)) throw refusal("SystemRoot is not an absolute path of Windows.");
  return win32.join(root, "System32", "cmd.exe");
}

function refusal(what: string): ReaError {
  return new ReaError("provider_unavailable", {
    message: `${what} Use directories with plain names for TEMP and GHIDRA_INSTALL_DIR.`,
    details: { provider_id: "ghidra", reason: "invalid_launch_command" },
  });
}

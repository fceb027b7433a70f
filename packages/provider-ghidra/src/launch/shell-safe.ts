import { tmpdir } from "node:os";
import { ReaError } from "@rea/core";

/** Outside quotes a shell gives these a meaning; control characters end words and lines. */
const refusedAlone = /["$`\\!;&|<>()'*?[\]{}#~^\u0000-\u001f\u007f]/;
/** Inside double quotes a shell gives these a meaning. Ghidra's own launcher takes no `!`. */
const refusedQuoted = /["$`\\!\u0000-\u001f\u007f]/;

/**
 * Ghidra's launcher scripts put their arguments into one line that a shell reads again: quoted when they hold blanks, bare
 * otherwise. A path that the shell would read as more than a path is not used.
 */
export function isSafeArgument(text: string): boolean {
  return !refusedAlone.test(text);
}

/** For the directories of Ghidra and of the JDK, which the launcher always quotes. */
export function isSafeQuoted(text: string): boolean {
  return !refusedQuoted.test(text);
}

/** The host's temporary directories whose paths can be arguments. */
export function safeParents(): readonly string[] {
  return [tmpdir(), "/tmp", "/var/tmp"].filter(isSafeArgument);
}

/** Throws `provider_unavailable`, reason `invalid_launch_command`, for a private directory that cannot be an argument. */
export function refuseUnsafe(directory: string): void {
  if (isSafeArgument(directory)) return;
  throw new ReaError("provider_unavailable", {
    message: "The path of Ghidra's private directory holds characters that its launcher script would not take as part of a path. Let TMPDIR name a directory with a plain path.",
    details: { provider_id: "ghidra", operation: "start_engine", reason: "invalid_launch_command" },
  });
}

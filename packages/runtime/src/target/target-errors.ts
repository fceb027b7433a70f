import { escapeUntrusted, ReaError, type TargetReason } from "@rea/core";

/** `target_unavailable` about a path the caller gave. The path is shown escaped; it is the caller's own word. */
export function targetUnavailable(path: string, reason: TargetReason): ReaError<"target_unavailable"> {
  const shown = escapeUntrusted(path);
  return new ReaError("target_unavailable", {
    message: messages[reason].replace("{path}", () => shown),
    details: { reason, path: shown },
    action: actions[reason],
  });
}

const messages: Readonly<Record<TargetReason, string>> = {
  no_target: "No target is open. Call open_binary first.",
  missing: "Nothing exists at {path}. Check the path and call again.",
  unreadable: "{path} cannot be read by this process. Grant read access and call again.",
  not_regular: "{path} is neither a regular file nor a directory. Give the path of a file or directory.",
  target_not_found: "The target {path} was not found. List the targets and call again.",
  target_not_allowed: "The target {path} is not allowed by the request. Widen the request and call again.",
  target_changed: "The file changed while it was in use. Open it again with open_binary.",
};

const actions: Readonly<Record<TargetReason, string>> = {
  no_target: "Call open_binary with the path of the program.",
  missing: "Check the path; relative paths and ~ are not expanded.",
  unreadable: "Grant this process read access to the file, then call again.",
  not_regular: "Give the path of a regular file or a directory.",
  target_not_found: "List the targets and call again.",
  target_not_allowed: "Widen the request and call again.",
  target_changed: "Open the target again with open_binary.",
};

interface PathProblem {
  readonly message: string;
  readonly action: string;
}

/** Bytes of a name that are no UTF-8 arrive as replacement characters, so the file they name cannot be found by it. */
const undecoded: PathProblem = {
  message: "No file is found as {path}: a name with bytes that are not UTF-8 cannot be used.",
  action: "Rename the file, or link to it under a name in UTF-8.",
};

function pathProblem(path: string, reason: TargetReason, { message, action }: PathProblem): ReaError<"target_unavailable"> {
  const shown = escapeUntrusted(path);
  return new ReaError("target_unavailable", {
    message: `${message.replace("{path}", () => shown)} ${action}`,
    details: { reason, path: shown },
    action,
  });
}

/** The error of a system call on a path; errors that say nothing about the path pass as they are. */
export function fileError(path: string, error: unknown): unknown {
  switch (systemCode(error)) {
    case "ENOENT":
    case "ENOTDIR":
      return path.includes("\uFFFD") ? pathProblem(path, "missing", undecoded) : targetUnavailable(path, "missing");
    case "ELOOP":
      return pathProblem(path, "unreadable", { message: "Symbolic links at {path} lead in a circle.", action: "Give the path of the file itself." });
    case "ENAMETOOLONG":
      return pathProblem(path, "missing", { message: "The name {path} is longer than this system allows.", action: "Give a shorter path." });
    case "EACCES":
    case "EPERM":
    case "EISDIR":
    case "EIO":
    case "EBUSY":
      return targetUnavailable(path, "unreadable");
    case "ENXIO":
    case "ENODEV":
      return targetUnavailable(path, "not_regular");
    default:
      return error;
  }
}

/** `code` of a Node system error, or undefined. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && "syscall" in error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

import { isReaError, ReaError, z } from "@rea/core";

/** Why Hopper did not come up. */
export type StartFailure =
  | "private_display_unavailable"
  | "display_authorization_failed"
  | "unsupported_build"
  | "invalid_launch_command"
  | "process_ownership_mismatch"
  | "exited_during_startup"
  | "unsupported_dialog"
  | "unexpected_geometry"
  | "input_failed"
  | "runtime_dependency_unavailable"
  | "socket_directory_unusable";

const messages: Readonly<Record<StartFailure, string>> = {
  private_display_unavailable: "The private display for Hopper did not come up. Check that Xvfb runs on this host and that /tmp/.X11-unix can be written.",
  display_authorization_failed: "The private display does not keep strangers out, so Hopper was not started on it. Check the installed Xvfb.",
  unsupported_build: "Hopper shows a window that asks for an answer, and REA never guesses one. Start Hopper once by hand, settle what it asks (licence, updates), and call again.",
  invalid_launch_command: "Hopper did not understand how it was started. Check HOPPER_LAUNCHER_PATH and HOPPER_LOADER_ARGS_JSON.",
  process_ownership_mismatch: "What runs on the private display is not what REA started, so nothing was asked of it. Call again to start afresh.",
  exited_during_startup: "Hopper ended before it answered. Details show how; start it once by hand to see what it says.",
  unsupported_dialog: "Hopper shows a dialog that this build of REA does not know. Start Hopper once by hand and settle what it asks.",
  unexpected_geometry: "The private display has another size than was asked for. Check the installed Xvfb.",
  input_failed: "The private display did not take an input. Call again to start afresh.",
  runtime_dependency_unavailable: "A program or library that Hopper needs is missing on this host. Details name it where that is known.",
  socket_directory_unusable: "No private directory can be used for Hopper; details.errno says why. Let TMPDIR name a writable directory with room and without a hidden element in its path.",
};

type Details = { readonly [key: string]: string | number | boolean | null | readonly { readonly [key: string]: string | number }[] };

/** `provider_unavailable` with one of the reasons above. */
export function startFailure(reason: StartFailure, details: Details = {}, cause?: unknown): ReaError {
  return new ReaError("provider_unavailable", {
    message: messages[reason],
    details: { provider_id: "hopper", operation: "start_engine", reason, ...details },
    cause,
  });
}

const exited = z.object({
  reason: z.literal("engine_exited"),
  operation: z.literal("start_engine"),
  exit_code: z.int().nullable(),
  signal: z.string().nullable(),
  stderr_tail: z.string(),
  stderr_bytes: z.int(),
});
const undirected = z.object({ reason: z.literal("private_directory_unusable"), errno: z.string() });

const missingLibrary = /error while loading shared libraries|Library not loaded|could not load the Qt platform plugin|symbol lookup error/i;
const badCommand = /unknown (?:option|argument)|unrecogni[sz]ed (?:option|argument)|invalid option|^usage:/im;

/** What the kit says of a start, in Hopper's own reasons where there is one; any other error as it is. */
export function startFailureOf(error: unknown): unknown {
  if (!isReaError(error) || error.code !== "provider_unavailable") return error;
  const directory = undirected.safeParse(error.details);
  if (directory.success) return startFailure("socket_directory_unusable", { errno: directory.data.errno }, error);
  const ended = exited.safeParse(error.details);
  if (!ended.success) return error;
  const { exit_code, signal, stderr_tail, stderr_bytes } = ended.data;
  return startFailure(reasonOf(exit_code, stderr_tail), { exit_code, signal, stderr_tail, stderr_bytes }, error);
}

/** A shell and the dynamic loader exit with 127 when something is not there; usage errors exit with 2 or 64. */
function reasonOf(code: number | null, stderr: string): StartFailure {
  if (code === 127 || missingLibrary.test(stderr)) return "runtime_dependency_unavailable";
  if (code !== 0 && (code === 2 || code === 64 || badCommand.test(stderr))) return "invalid_launch_command";
  return "exited_during_startup";
}

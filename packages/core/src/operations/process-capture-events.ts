import { z } from "../z.js";
import { captureSignals } from "./process-capture-reactive.js";

/** The collections of a process capture. Every `at_ms` counts from the start of the program. */

const count = z.number().int().nonnegative();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const text = z.string();
const base64 = z.string().regex(/^[A-Za-z0-9+/]*={0,2}$/);

/** What the program wrote to its terminal in one read; secrets are replaced, nothing else is. */
const frame = z.strictObject({ at_ms: count, data_base64: base64 });

const renderedFrame = z.strictObject({
  at_ms: count,
  /** `checkpoint` and `final` are the same in two equal runs; the others show the screen at a moment of the clock. */
  trigger: z.enum(["checkpoint", "before_input", "before_resize", "final"]),
  checkpoint: text.nullable(),
  columns: count,
  rows: count,
  /** From 0, of the visible screen. */
  cursor: z.strictObject({ column: count, row: count }),
  buffer: z.enum(["normal", "alternate"]),
  /** The visible screen, top to bottom, without blanks at line ends. */
  lines: z.array(text),
  /** Null when normalisation changes nothing. */
  normalized_lines: z.array(text).nullable(),
});

const interactionEvent = z.strictObject({
  kind: z.enum(["input", "resize", "signal", "close_stdin"]),
  source: z.enum(["scenario", "reactive"]),
  /** Null for what a reactive scenario decided. */
  scheduled_at_ms: count.nullable(),
  at_ms: count,
  outcome: z.enum(["dispatched", "target_exited", "failed"]),
  /** Of input. */
  bytes: count.nullable(),
  /** Of input that is not sensitive. */
  data_base64: base64.nullable(),
  sensitive: z.boolean(),
  columns: count.nullable(),
  rows: count.nullable(),
  signal: z.enum(captureSignals).nullable(),
  to: z.enum(["root", "group"]).nullable(),
});

const sampledProcess = z.strictObject({
  /** Processes of a capture are numbered from 0 in order of first sight; 0 is the program itself. */
  process: count,
  parent: count.nullable(),
  pid: count,
  parent_pid: count,
  process_group_id: count,
  session_id: count.nullable(),
  start_time: text,
  /** Real path of what it runs; null when it could not be read. */
  program: text.nullable(),
  /** Cut to 64 arguments of 256 characters; null when they could not be read. */
  arguments: z.array(text).nullable(),
  confirmed_by: z.enum(["root", "container", "session", "ancestry", "token", "mark", "known"]),
});

/** What changed since the sample before; a process that lived between two looks is in none. */
const processSample = z.strictObject({
  at_ms: count,
  phase: z.enum(["running", "settling"]),
  appeared: z.array(sampledProcess),
  /** Processes that run another program now. */
  became: z.array(z.strictObject({ process: count, program: text.nullable(), arguments: z.array(text).nullable() })),
  /** Numbers of the processes that are gone. */
  ended: z.array(count),
  live: count,
  unverified: z.array(z.strictObject({ pid: count, reason: text })),
});

const entryFacts = z.strictObject({
  kind: z.enum(["file", "directory", "symlink", "outside_link", "special"]),
  bytes: count.nullable(),
  /** Permission bits, octal. */
  mode: z.string().regex(/^[0-7]{4}$/),
  /** Of a file's content, or of a link's target; null when it was not read. */
  sha256: sha256.nullable(),
});

const filesystemCheckpoint = z.strictObject({
  at_ms: count,
  /** `before`, `after`, or the checkpoint. */
  name: text,
  roots: z.array(
    z.strictObject({
      root: count,
      state: z.enum(["complete", "partial", "missing", "unreadable"]),
      entries: count,
      bytes: count,
      /** Commits to all entries in order of their paths; null when there are none to commit to. */
      sha256: sha256.nullable(),
    }),
  ),
});

const filesystemEffect = z.strictObject({
  root: count,
  /** Below the root; `.` is the root itself. */
  path: text,
  effect: z.enum(["created", "deleted", "modified", "unknown"]),
  before: entryFacts.nullable(),
  after: entryFacts.nullable(),
});

const shimEvent = z.strictObject({
  at_ms: count,
  name: text,
  arguments: z.array(text),
  outcome: z.enum(["matched", "unmatched", "exhausted"]),
  /** Position in the scenario's routes. */
  route: count.nullable(),
  /** Which call of the route, from 1. */
  call: count.nullable(),
  exit_code: count.nullable(),
  signal: z.enum(captureSignals).nullable(),
});

export const syscallKinds = ["fork", "exec", "open_write", "connect", "listen", "bind", "unlink", "rename", "mkdir", "rmdir", "link", "exit"] as const;

const syscallEvent = z.strictObject({
  at_ms: count,
  pid: count,
  /** Of the sampled tree; null for a process that no sample saw. */
  process: count.nullable(),
  kind: z.enum(syscallKinds),
  /** The name of the call; `exited` and `killed` for the end of a process. */
  call: text,
  path: text.nullable(),
  /** Second path of a rename or link. */
  new_path: text.nullable(),
  arguments: z.array(text).nullable(),
  /** `127.0.0.1:80`, `[::1]:80`, `unix:PATH`. */
  address: text.nullable(),
  /** Of a fork, as the tracer sees pids. */
  child_pid: count.nullable(),
  /** `ok`, or the name of the error; null when the call had not returned. */
  result: text.nullable(),
  exit_code: count.nullable(),
  signal: text.nullable(),
});

export const captureCollections = {
  frames: z.array(frame),
  rendered_frames: z.array(renderedFrame),
  interaction_events: z.array(interactionEvent),
  process_samples: z.array(processSample),
  filesystem_checkpoints: z.array(filesystemCheckpoint),
  shim_events: z.array(shimEvent),
  syscall_events: z.array(syscallEvent),
} as const;
export const filesystemEffects = z.array(filesystemEffect);

export type CaptureFrame = z.output<typeof frame>;
export type RenderedFrame = z.output<typeof renderedFrame>;
export type InteractionEvent = z.output<typeof interactionEvent>;
export type SampledProcess = z.output<typeof sampledProcess>;
export type ProcessSample = z.output<typeof processSample>;
export type EntryFacts = z.output<typeof entryFacts>;
export type FilesystemCheckpoint = z.output<typeof filesystemCheckpoint>;
export type FilesystemEffect = z.output<typeof filesystemEffect>;
export type ShimEvent = z.output<typeof shimEvent>;
export type SyscallEvent = z.output<typeof syscallEvent>;

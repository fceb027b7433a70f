import { coverageSchema } from "../coverage.js";
import { z } from "../z.js";
import { processCaptureSchema } from "./process-capture.js";
import { captureCollections, filesystemEffects } from "./process-capture-events.js";

const count = z.number().int().nonnegative();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const text = z.string();
const { exit, settlement, cleanup, residual_unknowns, manifest } = processCaptureSchema.shape;

const bounded = <T extends z.ZodType>(item: T) =>
  z.strictObject({ items: z.array(item), returned: count, total: count, truncated: z.boolean() });

const process = z.strictObject({
  /** Of the samples; null for a process that only the tracer saw. */
  process: count.nullable(),
  pid: count,
  parent_pid: count.nullable(),
  /** Steps below the program. */
  depth: count,
  program: text.nullable(),
  arguments: z.array(text).nullable(),
  source: z.enum(["sampled", "traced"]),
});

const screen = captureCollections.rendered_frames.element.omit({ normalized_lines: true });

/** What `capture_process_scenario` answers: a page about a capture, which is retained whole. */
export const processCaptureSummarySchema = z.strictObject({
  /** Digest and size of the whole, of kind `capture`. */
  capture: z.strictObject({ sha256, bytes: count }),
  executable: manifest.shape.executable,
  started_at: manifest.shape.started_at,
  ended_at: manifest.shape.ended_at,
  commitments: manifest.shape.commitments,
  exit,
  settlement,
  processes: bounded(process),
  filesystem: z.strictObject({
    roots: z.array(z.strictObject({ root: count, state: z.enum(["complete", "partial", "missing", "unreadable"]), entries: count })),
    created: count,
    modified: count,
    deleted: count,
    unknown: count,
    unchanged: count,
    effects: bounded(filesystemEffects.element),
  }),
  /** Told by the tracer; empty without `trace`, which says nothing about connections. */
  connections: bounded(z.strictObject({ kind: z.enum(["connect", "listen"]), address: text, result: text.nullable(), times: count })),
  shim_calls: bounded(captureCollections.shim_events.element),
  protocol: z.strictObject({ events: count, refused: count }),
  interactions: z.strictObject({ dispatched: count, target_exited: count, failed: count }),
  reactive: z.strictObject({ outcome: text, final_state: text, transitions: count }).nullable(),
  output: z.strictObject({ bytes: count, frames: count, truncated: z.boolean() }),
  /** Screens at checkpoints, then the last one; lines to the last that is not empty. */
  screens: bounded(screen),
  journal_entries: count,
  coverage: coverageSchema,
  limitations: z.array(text),
  residual_unknowns,
  cleanup,
});
export type ProcessCaptureSummary = z.output<typeof processCaptureSummarySchema>;

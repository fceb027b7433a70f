import { coverageSchema } from "../coverage.js";
import { jsonObject } from "../json-schemas.js";
import { z } from "../z.js";
import { captureCollections, filesystemEffects } from "./process-capture-events.js";
import { reactiveRunSchema } from "./process-capture-reactive.js";
import { protocolEventSchema, replayTransitionSchema } from "./process-capture-replay.js";

const count = z.number().int().nonnegative();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const text = z.string();
const moment = z.iso.datetime({ precision: 3 });

/** What two captures must share before they can be compared, field by field. */
const comparisonContract = z.strictObject({
  version: z.literal(1),
  terminal: z.strictObject({ columns: count, rows: count, scrollback: count }),
  normalization: z.strictObject({
    paths: z.boolean(),
    pids: z.boolean(),
    ports: z.boolean(),
    time_bucket_ms: count,
    patterns: z.array(z.strictObject({ pattern: text, replacement: text })),
  }),
  limits: z.record(text, count),
  settle_ms: count,
  isolation: z.enum(["none", "pid_namespace"]),
  trace: z.enum(["none", "syscalls"]),
  /** How many directories were observed. */
  filesystem_roots: count,
});

const manifest = z.strictObject({
  capture_version: z.literal(4),
  versions: z.strictObject({ rea: text, runtime: text, terminal_emulator: text, tracer: text.nullable() }),
  platform: text,
  architecture: text,
  terminal_backend: text,
  started_at: moment,
  ended_at: moment,
  executable: z.strictObject({ name: text, sha256 }),
  /** Without secrets; paths that were inputs are replaced by the digest of what was read there, or null. */
  scenario: jsonObject,
  comparison_contract: comparisonContract,
  shim_plan: jsonObject.nullable(),
  replay_plan: jsonObject.nullable(),
  /** Over the canonical JSON of each; of the journal together with the entries it names. */
  commitments: z.strictObject({
    scenario_sha256: sha256,
    comparison_contract_sha256: sha256,
    shim_plan_sha256: sha256.nullable(),
    replay_plan_sha256: sha256.nullable(),
    normalization_sha256: sha256,
    journal_sha256: sha256,
  }),
});

export const journalCollections = [
  "frames",
  "rendered_frames",
  "interaction_events",
  "process_samples",
  "filesystem_checkpoints",
  "shim_events",
  "syscall_events",
  "protocol_events",
  "replay_transitions",
  "reactive_run",
  "exit",
  "settlement",
] as const;
export type JournalCollection = (typeof journalCollections)[number];

export const captureDimensions = ["terminal", "interaction", "exit", "filesystem", "protocol", "process", "shim"] as const;
export type CaptureDimension = (typeof captureDimensions)[number];

const exit = z.strictObject({
  code: count.nullable(),
  signal: text.nullable(),
  reason: z.enum(["exited", "timeout", "idle_timeout"]),
  at_ms: count,
});

const cleanup = z.strictObject({
  state: z.enum(["proven", "unproven", "incomplete"]),
  ownership_proof: z.enum(["pid_namespace", "cgroup", "job_object", "group_and_token", "group_only", "unproven"]),
  ownership_reason: text.optional(),
  /** What remains: surviving processes, and directories that could not be removed. */
  resources: z.array(
    z.strictObject({
      kind: z.enum(["process_group", "temporary_root"]),
      detail: z.strictObject({ pid: count.optional(), reason: text }),
    }),
  ),
  /** How many processes were confirmed to be the run's, by way of confirmation. */
  confirmed: z.record(text, count),
});

/** A whole of kind `capture`: everything that was seen of one run. Order across collections is told by the journal only. */
export const processCaptureSchema = z.strictObject({
  manifest,
  ...captureCollections,
  protocol_events: z.array(protocolEventSchema),
  replay_transitions: z.array(replayTransitionSchema),
  reactive_run: reactiveRunSchema.nullable(),
  exit,
  settlement: z.strictObject({ state: z.enum(["quiesced", "alive_at_deadline", "unverifiable"]), elapsed_ms: count }),
  /** By `capture_order`, from 1 without gaps. */
  event_journal: z.array(z.strictObject({ capture_order: count, collection: z.enum(journalCollections), index: count })),
  /** Between `before` and `after`; what is unchanged is counted only. */
  filesystem_effects: filesystemEffects,
  filesystem_unchanged: count,
  /** The decoded output with numbers of processes, ports, paths and patterns replaced; frames stay as they were. */
  normalized_terminal: z.strictObject({ text, truncated: z.boolean() }),
  coverage: coverageSchema,
  limitations: z.array(text),
  /** What would have to be known to call this run equal to another one. */
  residual_unknowns: z.array(z.strictObject({ dimension: z.enum(captureDimensions), reason: text })),
  cleanup,
});

export type ProcessCapture = z.output<typeof processCaptureSchema>;
export type CaptureManifest = z.output<typeof manifest>;
export type ComparisonContract = z.output<typeof comparisonContract>;
export type CaptureExit = z.output<typeof exit>;
export type CaptureSettlement = ProcessCapture["settlement"];
export type CaptureCleanup = z.output<typeof cleanup>;
export type JournalEntry = ProcessCapture["event_journal"][number];
/** Predicate of records that hold or commit to a capture. */
export const processCapturePredicate = "rea.process-capture/v4";

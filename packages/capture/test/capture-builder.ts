import { processCaptureSchema, processScenarioSchema, type JournalCollection, type ProcessCapture } from "@rea/core";
import { commitmentsOf } from "../src/commitments.js";

const digest = "a".repeat(64);

/** Parts of a capture that a test names; the rest is that of a program that wrote `hello` and ended. */
export type CaptureParts = Partial<Omit<ProcessCapture, "manifest" | "event_journal">> & {
  readonly contract?: Partial<ProcessCapture["manifest"]["comparison_contract"]>;
  /** Default: every collection, one after the other. */
  readonly journal?: readonly (readonly [collection: JournalCollection, index: number])[];
};

export function frame(text: string, at_ms = 0): ProcessCapture["frames"][number] {
  return { at_ms, data_base64: Buffer.from(text).toString("base64") };
}

export function screen(lines: string[], more: Partial<ProcessCapture["rendered_frames"][number]> = {}): ProcessCapture["rendered_frames"][number] {
  return { at_ms: 0, trigger: "final", checkpoint: null, columns: 80, rows: 24, cursor: { column: 0, row: lines.length }, buffer: "normal", lines, normalized_lines: null, ...more };
}

export function appeared(process: number, program: string, more: Partial<ProcessCapture["process_samples"][number]["appeared"][number]> = {}): ProcessCapture["process_samples"][number]["appeared"][number] {
  return { process, parent: process === 0 ? null : 0, pid: 1000 + process, parent_pid: 999, process_group_id: 1000, session_id: 1000, start_time: String(process), program, arguments: [program], confirmed_by: process === 0 ? "root" : "ancestry", ...more };
}

export function sample(at_ms: number, more: Partial<ProcessCapture["process_samples"][number]>): ProcessCapture["process_samples"][number] {
  return { at_ms, phase: "running", appeared: [], became: [], ended: [], live: 1, unverified: [], ...more };
}

/** A capture whose commitments hold; it passes the schema. */
export function buildCapture({ contract, journal, ...given }: CaptureParts = {}): ProcessCapture {
  const { terminal, normalization, limits, settle_ms } = processScenarioSchema.parse({ executable: "/bin/true" });
  const parts = {
    frames: [frame("hello\r\n")],
    rendered_frames: [screen(["hello"])],
    interaction_events: [],
    process_samples: [sample(0, { appeared: [appeared(0, "/bin/true")] }), sample(20, { ended: [0], live: 0 })],
    filesystem_checkpoints: [],
    shim_events: [],
    syscall_events: [],
    protocol_events: [],
    replay_transitions: [],
    reactive_run: null,
    exit: { code: 0, signal: null, reason: "exited", at_ms: 20 },
    settlement: { state: "quiesced", elapsed_ms: 100 },
    filesystem_effects: [],
    filesystem_unchanged: 0,
    normalized_terminal: { text: textOf(given.frames ?? [frame("hello\r\n")]), truncated: false },
    coverage: { state: "complete", omissions: [] },
    limitations: [],
    residual_unknowns: [],
    cleanup: { state: "proven", ownership_proof: "group_and_token", resources: [], confirmed: {} },
    ...given,
  } as const;
  const order = journal ?? everything(parts);
  const event_journal = order.map(([collection, index], at) => ({ capture_order: at + 1, collection, index }));
  const manifest = {
    capture_version: 4,
    versions: { rea: "0", runtime: "0", terminal_emulator: "0", tracer: null },
    platform: "linux",
    architecture: "x64",
    terminal_backend: "pty",
    started_at: "2026-01-01T00:00:00.000Z",
    ended_at: "2026-01-01T00:00:01.000Z",
    executable: { name: "true", sha256: digest },
    scenario: { executable: { sha256: digest } },
    comparison_contract: { version: 1, terminal, normalization, limits, settle_ms, isolation: "none", trace: "none", filesystem_roots: 0, ...contract },
    shim_plan: null,
    replay_plan: null,
  } as const;
  const empty = { scenario_sha256: digest, comparison_contract_sha256: digest, shim_plan_sha256: null, replay_plan_sha256: null, normalization_sha256: digest, journal_sha256: digest };
  const capture = processCaptureSchema.parse({ ...parts, event_journal, manifest: { ...manifest, commitments: empty } });
  const { manifest: parsed, ...journaled } = capture;
  return { ...capture, manifest: { ...parsed, commitments: commitmentsOf(parsed, journaled) } };
}

function textOf(frames: readonly { readonly data_base64: string }[]): string {
  return Buffer.concat(frames.map(({ data_base64 }) => Buffer.from(data_base64, "base64"))).toString().replaceAll("\r", "\\u{d}");
}

type Collections = Pick<ProcessCapture, "frames" | "rendered_frames" | "interaction_events" | "process_samples" | "filesystem_checkpoints" | "shim_events" | "syscall_events" | "protocol_events" | "replay_transitions" | "reactive_run">;

function everything(parts: { readonly [K in keyof Collections]: Readonly<Collections[K]> }): (readonly [JournalCollection, number])[] {
  const all = (collection: JournalCollection, length: number) => Array.from({ length }, (_, index) => [collection, index] as const);
  return [
    ...all("process_samples", Math.min(1, parts.process_samples.length)),
    ...all("frames", parts.frames.length),
    ...all("interaction_events", parts.interaction_events.length),
    ...all("shim_events", parts.shim_events.length),
    ...all("protocol_events", parts.protocol_events.length),
    ...all("replay_transitions", parts.replay_transitions.length),
    ...all("syscall_events", parts.syscall_events.length),
    ...all("reactive_run", parts.reactive_run?.records.length ?? 0),
    ...all("exit", 1),
    ...all("process_samples", parts.process_samples.length).slice(1),
    ...all("settlement", 1),
    ...all("filesystem_checkpoints", parts.filesystem_checkpoints.length),
    ...all("rendered_frames", parts.rendered_frames.length),
  ];
}

import { processCaptureSchema, type ProcessCapture } from "@rea/core";
import { expect, test } from "vitest";
import { asciicast } from "../src/index.js";

const sha256 = "0".repeat(64);
const base64 = (...bytes: number[]): string => Buffer.from(bytes).toString("base64");

function captureOf(frames: ProcessCapture["frames"]): ProcessCapture {
  const interaction = { source: "scenario", scheduled_at_ms: 5, outcome: "dispatched", bytes: null, data_base64: null, sensitive: false, signal: null, to: null };
  return processCaptureSchema.parse({
    manifest: {
      capture_version: 4,
      versions: { rea: "1", runtime: "node", terminal_emulator: "e", tracer: null },
      platform: "linux",
      architecture: "x64",
      terminal_backend: "t",
      started_at: "2026-01-02T03:04:05.678Z",
      ended_at: "2026-01-02T03:04:06.678Z",
      executable: { name: "demo", sha256 },
      scenario: {},
      comparison_contract: {
        version: 1,
        terminal: { columns: 70, rows: 20, scrollback: 0 },
        normalization: { paths: false, pids: true, ports: true, time_bucket_ms: 10, patterns: [] },
        limits: {},
        settle_ms: 0,
        isolation: "none",
        trace: "none",
        filesystem_roots: 0,
      },
      shim_plan: null,
      replay_plan: null,
      commitments: { scenario_sha256: sha256, comparison_contract_sha256: sha256, shim_plan_sha256: null, replay_plan_sha256: null, normalization_sha256: sha256, journal_sha256: sha256 },
    },
    frames,
    rendered_frames: [],
    interaction_events: [
      { ...interaction, kind: "resize", at_ms: 30, columns: 90, rows: 25 },
      { ...interaction, kind: "close_stdin", at_ms: 40, columns: null, rows: null },
    ],
    process_samples: [],
    filesystem_checkpoints: [],
    shim_events: [],
    syscall_events: [],
    protocol_events: [],
    replay_transitions: [],
    reactive_run: null,
    exit: { code: 0, signal: null, reason: "exited", at_ms: 50 },
    settlement: { state: "quiesced", elapsed_ms: 0 },
    event_journal: [],
    filesystem_effects: [],
    filesystem_unchanged: 0,
    normalized_terminal: { text: "", truncated: false },
    coverage: { state: "complete", omissions: [] },
    limitations: [],
    residual_unknowns: [],
    cleanup: { state: "proven", ownership_proof: "cgroup", resources: [], confirmed: {} },
  });
}

test("a cast has its header, its output in seconds with characters whole, and changes of size", () => {
  const captured = captureOf([
    { at_ms: 7, data_base64: base64(0x61, 0xc3) },
    { at_ms: 1250, data_base64: base64(0xa9, 0x0d, 0x0a, 0x1b, 0xff) },
  ]);
  const [header, ...events] = [...asciicast(captured)].map((line): unknown => JSON.parse(line));
  expect(header).toEqual({ version: 2, width: 70, height: 20, timestamp: 1767323045, title: "demo" });
  expect(events).toEqual([
    [0.007, "o", "a"],
    [0.03, "r", "90x25"],
    [1.25, "o", "é\r\n\u001b\ufffd"],
  ]);
});

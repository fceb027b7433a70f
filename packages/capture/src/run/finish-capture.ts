import { basename } from "node:path";
import { coverageOf, escapeUntrusted, omission, type CaptureCleanup, type CaptureManifest, type Omission, type ProcessCapture } from "@rea/core";
import type { EndedRun, Ownership } from "@rea/lineage";
import { commitmentsOf } from "../commitments.js";
import type { KnownValue } from "../normalize/known-values.js";
import type { FileObserver } from "./file-observer.js";
import type { LiveCapture } from "./live-capture.js";
import { comparisonContract, platformFacts, recordedScenario, shown } from "./manifest.js";
import { replayJson, type Companions, type PreparedCapture } from "./prepared-capture.js";
import type { Recording } from "./recording.js";

export interface FinishedParts {
  readonly prepared: PreparedCapture;
  readonly recording: Recording;
  readonly live: LiveCapture;
  readonly files: FileObserver;
  readonly companions: Companions;
  readonly ended: EndedRun;
  readonly ownership: Ownership;
  readonly executable: { readonly path: string; readonly sha256: string };
  /** Whether our own directory is gone. */
  readonly removed: boolean;
  readonly startedAt: Date;
  readonly version: string;
  readonly home: string | undefined;
}

/** Puts together what was collected. Rejects when the thread that normalises ends first. */
export async function finishCapture(parts: FinishedParts): Promise<ProcessCapture> {
  const { prepared, recording, live, files } = parts;
  const { exit, settlement } = recording;
  if (exit === null || settlement === null) throw new Error("The run has not ended.");
  const facts = { rules: prepared.scenario.normalization, pids: live.sampler?.pids() ?? [], paths: pathsOf(parts), values: valuesOf(parts) };
  const normalized = await live.normalize({ facts, terminal: live.frames.bytes(), frames: recording.rendered.map(({ lines }) => lines) });
  const { effects, unchanged } = files.effects();
  const omissions = omissionsOf(parts);
  const body: Omit<ProcessCapture, "manifest"> = {
    frames: recording.frames,
    rendered_frames: recording.rendered.map((frame, index) => ({ ...frame, normalized_lines: normalized.frames[index] ?? null })),
    interaction_events: recording.interactions,
    process_samples: recording.samples,
    filesystem_checkpoints: recording.filesystem,
    shim_events: recording.shims,
    syscall_events: recording.syscalls,
    protocol_events: recording.protocol,
    replay_transitions: recording.transitions,
    reactive_run: recording.reactive,
    exit,
    settlement,
    event_journal: recording.journal.entries(),
    filesystem_effects: effects,
    filesystem_unchanged: unchanged,
    normalized_terminal: { text: normalized.terminal, truncated: live.frames.truncated },
    coverage: coverageOf(omissions),
    limitations: limitationsOf(parts),
    residual_unknowns: residualUnknowns(parts, omissions),
    cleanup: cleanupOf(parts),
  };
  return { manifest: manifestOf(parts, body), ...body };
}

function manifestOf(parts: FinishedParts, body: Omit<ProcessCapture, "manifest">): CaptureManifest {
  const { prepared, recording, files, executable, startedAt } = parts;
  const { scenario, redactor, roots, tracer } = prepared;
  const hide = (text: string): string => redactor.text(text);
  const digests = files.firstDigests(recording);
  const replay = replayJson(prepared);
  const committed = {
    scenario: recordedScenario(scenario, { hide, executableSha256: executable.sha256, digestOf: (path) => digests[roots.indexOf(path)] ?? null }),
    comparison_contract: comparisonContract(scenario, roots.length),
    shim_plan: scenario.command_shims.length === 0 ? null : shown({ routes: scenario.command_shims }, hide),
    replay_plan: replay === null ? null : shown(replay, hide),
  };
  return {
    capture_version: 4,
    versions: { rea: parts.version, runtime: `node ${process.versions.node}`, terminal_emulator: `@xterm/headless ${emulatorVersion}`, tracer: tracer === null ? null : "strace" },
    ...platformFacts(),
    started_at: startedAt.toISOString(),
    ended_at: new Date().toISOString(),
    executable: { name: escapeUntrusted(basename(executable.path)), sha256: executable.sha256 },
    ...committed,
    commitments: commitmentsOf(committed, body),
  };
}

const emulatorVersion = "6.0.0";

/** What the run itself made up, and differs from run to run. */
function valuesOf({ prepared: { own }, companions: { server, ledger } }: FinishedParts): KnownValue[] {
  const { tokens = [], port } = server?.madeUp ?? {};
  return [
    ...tokens.map((value) => ({ value, alias: "<token>" })),
    ...(port === undefined ? [] : [{ value: `127.0.0.1:${String(port)}`, alias: "127.0.0.1:<port>" }]),
    ...(ledger === null ? [] : [{ value: ledger.url, alias: "<shim-ledger>" }]),
    { value: own.home, alias: "<home>" },
    { value: own.work, alias: "<work>" },
    { value: own.shims, alias: "<shims>" },
    { value: own.root, alias: "<run>" },
  ];
}

function pathsOf({ prepared, home }: FinishedParts): KnownValue[] {
  const roots = prepared.roots.map((value, index) => ({ value, alias: `<root:${String(index)}>` }));
  return [...roots, { value: prepared.workingDirectory, alias: "<working_directory>" }, ...(home === undefined || home === "/" ? [] : [{ value: home, alias: "<home>" }])];
}

function omissionsOf({ recording, live, files, companions }: FinishedParts): Omission[] {
  const missed = companions.server?.missed();
  return [
    ...live.frames.omissions(),
    ...recording.omissions(),
    ...(live.sampler?.omissions() ?? []),
    ...files.omissions(),
    ...(live.trace?.omissions() ?? []),
    ...(missed !== undefined && missed.droppedEvents > 0
      ? [omission("protocol events", "limit_items", { count: missed.droppedEvents, how_to_continue: "Capture again with a larger limits.protocol_events." })]
      : []),
  ];
}

function limitationsOf({ prepared, recording, live, ownership, companions }: FinishedParts): string[] {
  const { scenario, redactor, tracer } = prepared;
  const strangers = companions.server?.missed().strangers ?? 0;
  const closesInput = scenario.events.some(({ kind }) => kind === "close_stdin") || scenario.reactive?.transitions.some(({ actions }) => actions.some(({ kind }) => kind === "close_stdin")) === true;
  const given = [
    ...(tracer === null ? ["Processes are found by looking every 20 to 50 ms; one that lived between two looks is not listed."] : []),
    ...(tracer !== null && live.trace?.empty === true ? ["The tracer recorded nothing; the host may forbid tracing."] : []),
    ...(tracer === null ? [] : ["The program was traced, which it can see and which makes it slower."]),
    ...(redactor.values.length === 0 ? [] : ["Copies of hidden values that the program transformed, or took apart with control sequences, are not recognised."]),
    ...(closesInput ? ["A terminal's input cannot be closed; the end-of-file character was typed instead."] : []),
    ...(strangers > 0 ? [`${String(strangers)} requests to the loopback servers did not come by the address the program was given, and were refused.`] : []),
    ...ownership.limitations,
    ...recording.limitations(),
  ];
  return [...new Set(given)];
}

function residualUnknowns({ recording, live, files, companions }: FinishedParts, omissions: readonly Omission[]): ProcessCapture["residual_unknowns"] {
  const unknowns: ProcessCapture["residual_unknowns"] = [];
  if (live.frames.truncated) unknowns.push({ dimension: "terminal", reason: "Output was written that was not kept." });
  if (recording.omissions().length > 0) unknowns.push({ dimension: "terminal", reason: "Not all screens were kept." });
  if (files.omissions().length > 0) unknowns.push({ dimension: "filesystem", reason: "Not everything in the observed directories was looked at." });
  if (recording.settlement?.state === "unverifiable") unknowns.push({ dimension: "process", reason: "The process table could not be read." });
  else if (omissions.some(({ scope }) => scope === "processes")) unknowns.push({ dimension: "process", reason: "Not all processes were looked at." });
  if ((companions.server?.missed().droppedEvents ?? 0) > 0) unknowns.push({ dimension: "protocol", reason: "More was exchanged than was kept." });
  return unknowns;
}

function cleanupOf({ ended: { cleanup, confirmed }, removed }: FinishedParts): CaptureCleanup {
  const { state, ownership_proof, ownership_reason, resources } = cleanup;
  return {
    state: removed ? state : "incomplete",
    ownership_proof,
    ...(ownership_reason === undefined ? {} : { ownership_reason }),
    resources: [
      ...resources.map(({ kind, detail }) => ({ kind, detail: { ...detail } })),
      ...(removed ? [] : [{ kind: "temporary_root" as const, detail: { reason: "a directory of the run could not be removed" } }]),
    ],
    confirmed: { ...confirmed },
  };
}

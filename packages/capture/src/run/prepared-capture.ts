import type { ProcessScenario, ProgressReporter, ShimEvent } from "@rea/core";
import type { ProcessLauncher } from "@rea/lineage";
import { linearPattern } from "../normalize/linear-pattern.js";
import { planJson, replayPlanOf, type ReplayPlan } from "../replay/replay-plan.js";
import { startReplayServer, type ReplayServer } from "../replay/replay-server.js";
import { hiddenValuesOf } from "../sensitive/hidden-values.js";
import { Redactor } from "../sensitive/redactor.js";
import { openShimLedger, type ShimLedger } from "../shims/shim-ledger.js";
import { writeShims } from "../shims/write-shims.js";
import { findTracer, type Tracer } from "../trace/tracer.js";
import { findExecutable } from "./find-executable.js";
import type { OwnedDirectory } from "./owned-directory.js";
import type { Recording } from "./recording.js";
import { operation } from "./scenario-refusal.js";
import { readSecrets, targetEnvironment, withDirectoryFirst, type HostEnvironment } from "./target-environment.js";

/** What a capture may use of its host. */
export interface CaptureHost {
  readonly launcher: ProcessLauncher;
  readonly environment: HostEnvironment;
  /** Version of the product, for the manifest. */
  readonly version: string;
}

export interface CaptureOptions {
  readonly scenario: ProcessScenario;
  readonly host: CaptureHost;
  readonly signal: AbortSignal;
  readonly progress: ProgressReporter;
}

/** A checked scenario with everything decided that can be decided before anything happens. */
export interface PreparedCapture {
  readonly scenario: ProcessScenario;
  readonly redactor: Redactor;
  readonly own: OwnedDirectory;
  readonly executable: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly workingDirectory: string;
  readonly roots: readonly string[];
  readonly tracer: Tracer | null;
  readonly replay: ReplayPlan | null;
}

/** Throws `invalid_request`, `target_unavailable` and `unsupported_host` for what cannot be run. */
export function prepareCapture({ scenario, host }: CaptureOptions, own: OwnedDirectory): PreparedCapture {
  const secrets = readSecrets(scenario, host.environment);
  for (const { pattern } of scenario.normalization.patterns) linearPattern(pattern);
  const replay = replayPlanOf(scenario, operation);
  const environment = targetEnvironment(scenario, { host: host.environment, secrets, home: own.home });
  const { working_directory: given } = scenario;
  return {
    scenario,
    redactor: new Redactor(hiddenValuesOf(scenario, secrets)),
    own,
    executable: findExecutable(scenario.executable, environment["PATH"]),
    environment,
    workingDirectory: given ?? own.work,
    // Nobody else could name the directory that is made for a run.
    roots: [...scenario.filesystem_observation_paths, ...(given === undefined ? [own.work] : [])],
    tracer: scenario.trace === "syscalls" ? findTracer(own.traces) : null,
    replay,
  };
}

export interface Companions {
  /** For the program, beside what the scenario gives it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly ledger: ShimLedger | null;
  readonly server: ReplayServer | null;
  close(): Promise<void>;
}

export interface CompanionEvents {
  readonly onShim: (event: ShimEvent) => void;
  readonly onProtocol: (kind: string) => void;
}

/** Starts what stands beside the program: the ledger of its shims and its loopback servers. */
export async function startCompanions(prepared: PreparedCapture, recording: Recording, events: CompanionEvents): Promise<Companions> {
  const { scenario, redactor, own, replay } = prepared;
  const hide = (text: string): string => redactor.text(text);
  const routes = scenario.command_shims;
  const ledger = routes.length === 0 ? null : await openShimLedger({ routes, now: recording.now, hide, onCall: events.onShim });
  if (ledger !== null) writeShims(own.shims, ledger.url, routes);
  const { connections, protocol_events, protocol_body_bytes } = scenario.limits;
  const server =
    replay === null
      ? null
      : await startReplayServer({
          plan: replay,
          limits: { connections, protocol_events, protocol_body_bytes, duration_ms: scenario.timeout_ms },
          now: recording.now,
          hiding: { text: hide, bytes: (data) => redactor.bytes(data) },
          onEvent: (event) => {
            recording.journal.push("protocol_events", recording.protocol, event);
            events.onProtocol(event.kind);
          },
          onTransition: (transition) => recording.journal.push("replay_transitions", recording.transitions, transition),
        });
  const first = ledger === null ? prepared.environment : withDirectoryFirst(prepared.environment, own.shims);
  return {
    environment: { ...first, ...(ledger === null ? {} : { REA_SHIM_LEDGER_URL: ledger.url }), ...server?.env },
    ledger,
    server,
    close: async () => {
      await Promise.all([ledger?.close(), server?.close()]);
    },
  };
}

export function replayJson({ replay }: PreparedCapture): object | null {
  return replay === null ? null : planJson(replay);
}

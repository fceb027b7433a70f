import type {
  CaptureExit,
  CaptureFrame,
  FilesystemCheckpoint,
  InteractionEvent,
  ProcessSample,
  ProtocolEvent,
  ReactiveRun,
  RenderedFrame,
  ReplayTransition,
  ShimEvent,
  SyscallEvent,
} from "@rea/core";
import type { CaptureSettlement } from "@rea/core";
import { Journal } from "./journal.js";

/** Everything a capture collects while its program runs, and the order in which it came. */
export class Recording {
  readonly journal = new Journal();
  readonly frames: CaptureFrame[] = [];
  readonly rendered: RenderedFrame[] = [];
  readonly interactions: InteractionEvent[] = [];
  readonly samples: ProcessSample[] = [];
  readonly filesystem: FilesystemCheckpoint[] = [];
  readonly shims: ShimEvent[] = [];
  readonly syscalls: SyscallEvent[] = [];
  readonly protocol: ProtocolEvent[] = [];
  readonly transitions: ReplayTransition[] = [];
  readonly #limitations = new Set<string>();
  reactive: ReactiveRun | null = null;
  exit: CaptureExit | null = null;
  settlement: CaptureSettlement | null = null;
  #reactiveRecords = 0;
  #started: number | null = null;

  /** The program starts now: moments are counted from here. */
  begin(): void {
    this.#started = performance.now();
  }

  /** Milliseconds since the program started; 0 before. */
  readonly now = (): number => (this.#started === null ? 0 : Math.max(0, Math.floor(performance.now() - this.#started)));

  limit(sentence: string): void {
    this.#limitations.add(sentence);
  }

  limitations(): string[] {
    return [...this.#limitations];
  }

  /** Takes over what a reactive scenario has recorded since the last time. */
  follow(run: ReactiveRun): void {
    this.reactive = run;
    for (; this.#reactiveRecords < run.records.length; this.#reactiveRecords += 1) this.journal.add("reactive_run", this.#reactiveRecords);
  }

  end(exit: CaptureExit): void {
    if (this.exit !== null) return;
    this.exit = exit;
    this.journal.add("exit", 0);
  }

  settle(settlement: CaptureSettlement): void {
    if (this.settlement !== null) return;
    this.settlement = settlement;
    this.journal.add("settlement", 0);
  }
}

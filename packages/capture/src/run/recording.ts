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
import { omission, type CaptureSettlement, type Omission } from "@rea/core";
import type { Screenshot } from "../terminal/screen.js";
import { Journal } from "./journal.js";

/** Characters of all screens that are kept before the last one: hundreds of thousands of ordinary lines. */
const maximumScreenCharacters = 16 * 1024 * 1024;

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
  #screenCharacters = 0;
  #missedScreens = 0;
  #started: number | null = null;

  /** The program starts now: moments are counted from here. */
  begin(): void {
    this.#started = performance.now();
  }

  /** Milliseconds since the program started; 0 before. */
  readonly now = (): number => (this.#started === null ? 0 : Math.max(0, Math.floor(performance.now() - this.#started)));

  /** Keeps a screen as it is now, unless those kept before are too many characters; the last one is always kept. */
  async look(screen: { readonly look: () => Promise<Screenshot> }, { trigger, checkpoint = null }: Pick<RenderedFrame, "trigger"> & Partial<Pick<RenderedFrame, "checkpoint">>): Promise<void> {
    if (trigger !== "final" && this.#screenCharacters >= maximumScreenCharacters) return void (this.#missedScreens += 1);
    const shot = await screen.look();
    this.#screenCharacters += shot.lines.reduce((sum, line) => sum + line.length, 0);
    this.journal.push("rendered_frames", this.rendered, { at_ms: this.now(), trigger, checkpoint, ...shot, normalized_lines: null });
  }

  /** What bounds left out. */
  omissions(): Omission[] {
    if (this.#missedScreens === 0) return [];
    const how_to_continue = "Capture again with a smaller terminal, or with fewer inputs, resizes and checkpoints.";
    return [omission("rendered_frames", "limit_total_bytes", { count: this.#missedScreens, limit: maximumScreenCharacters, how_to_continue })];
  }

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

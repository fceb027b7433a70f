import type { ScenarioCheckpoint } from "@rea/core";
import { LiteralWatch } from "../terminal/literal-watch.js";

/** Tells when the checkpoints of a scenario are reached; each is taken once. */
export class Checkpoints {
  readonly #open: Set<ScenarioCheckpoint>;
  readonly #watches: readonly { readonly checkpoint: ScenarioCheckpoint; readonly watch: LiteralWatch }[];
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #reached: (name: string) => void;

  constructor(checkpoints: readonly ScenarioCheckpoint[], reached: (name: string) => void) {
    this.#open = new Set(checkpoints);
    this.#reached = reached;
    this.#watches = checkpoints.flatMap((checkpoint) =>
      checkpoint.trigger.kind === "terminal_literal"
        ? [{ checkpoint, watch: new LiteralWatch(checkpoint.trigger.value, checkpoint.trigger.occurrence) }]
        : [],
    );
  }

  /** The program has started; its clock runs. */
  begin(): void {
    for (const checkpoint of this.#open) {
      if (checkpoint.trigger.kind === "time") this.#timers.push(setTimeout(() => this.#take(checkpoint), checkpoint.trigger.at_ms));
    }
  }

  text(text: string): void {
    for (const { checkpoint, watch } of this.#watches) if (watch.take(text)) this.#take(checkpoint);
  }

  event(kind: "root_exit" | "settled"): void {
    for (const checkpoint of this.#open) if (checkpoint.trigger.kind === kind) this.#take(checkpoint);
  }

  /** Names of those never reached. */
  close(): readonly string[] {
    for (const timer of this.#timers.splice(0)) clearTimeout(timer);
    return [...this.#open].map(({ name }) => name);
  }

  #take(checkpoint: ScenarioCheckpoint): void {
    if (this.#open.delete(checkpoint)) this.#reached(checkpoint.name);
  }
}

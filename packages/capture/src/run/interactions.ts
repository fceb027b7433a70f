import type { InteractionEvent, ReactiveAction, ScenarioEvent } from "@rea/core";
import type { OwnedProcess } from "@rea/lineage";
import type { Redactor } from "../sensitive/redactor.js";
import type { ScreenThread } from "../terminal/screen-thread.js";
import type { Recording } from "./recording.js";

export interface InteractionParts {
  readonly run: OwnedProcess;
  readonly recording: Recording;
  readonly screen: ScreenThread;
  readonly redactor: Redactor;
  /** The program has ended, or is being ended: nothing more is done to it. */
  readonly over: () => boolean;
}

export type Interaction = Exclude<ReactiveAction, { readonly kind: "checkpoint" }>;
type Outcome = InteractionEvent["outcome"];

const endOfInput = Buffer.from([4]);

/** Does to a program what a person at its terminal would, one after the other, and writes it down. */
export class Interactions {
  readonly #parts: InteractionParts;

  constructor(parts: InteractionParts) {
    this.#parts = parts;
  }

  /** A scenario's event at its time. */
  scheduled(event: ScenarioEvent): Promise<Outcome> {
    return this.#perform(interactionOf(event), event.at_ms);
  }

  /** What a reactive scenario decided. */
  decided(action: Interaction): Promise<Outcome> {
    return this.#perform(action, null);
  }

  async #perform(action: Interaction, scheduledAtMs: number | null): Promise<Outcome> {
    const { recording, screen, over } = this.#parts;
    if (!over()) await this.#lookBefore(action);
    const atMs = recording.now();
    const outcome = over() ? "target_exited" : await this.#dispatch(action).catch((): Outcome => "failed");
    if (action.kind === "resize" && outcome === "dispatched") screen.resize(action);
    recording.journal.push("interaction_events", recording.interactions, this.#recorded(action, { scheduledAtMs, atMs, outcome }));
    return outcome;
  }

  /** The screen a person would have acted on. */
  async #lookBefore({ kind }: Interaction): Promise<void> {
    if (kind !== "send_input" && kind !== "resize") return;
    const { recording, screen } = this.#parts;
    await recording.look(screen, { trigger: kind === "resize" ? "before_resize" : "before_input" });
  }

  async #dispatch(action: Interaction): Promise<Outcome> {
    const { run } = this.#parts;
    const { terminal } = run;
    if (terminal === null) return "failed";
    switch (action.kind) {
      case "send_input":
        // Typed, not taken: a program that does not read does not hold up its scenario.
        void terminal.write(Buffer.from(action.data));
        return "dispatched";
      case "close_stdin":
        void terminal.write(endOfInput);
        return "dispatched";
      case "resize":
        return terminal.resize(action) ? "dispatched" : "target_exited";
      case "send_signal": {
        const sent = await run.signal(action.signal, action.to);
        return sent === "sent" ? "dispatched" : sent === "gone" ? "target_exited" : "failed";
      }
    }
  }

  #recorded(action: Interaction, { scheduledAtMs, atMs, outcome }: { readonly scheduledAtMs: number | null; readonly atMs: number; readonly outcome: Outcome }): InteractionEvent {
    const input = action.kind === "send_input" ? Buffer.from(action.data) : null;
    const sensitive = action.kind === "send_input" && action.sensitive;
    return {
      kind: action.kind === "send_input" ? "input" : action.kind === "send_signal" ? "signal" : action.kind,
      source: scheduledAtMs === null ? "reactive" : "scenario",
      scheduled_at_ms: scheduledAtMs,
      at_ms: atMs,
      outcome,
      bytes: input?.length ?? null,
      data_base64: input === null || sensitive ? null : this.#parts.redactor.bytes(input).toString("base64"),
      sensitive,
      columns: action.kind === "resize" ? action.columns : null,
      rows: action.kind === "resize" ? action.rows : null,
      signal: action.kind === "send_signal" ? action.signal : null,
      to: action.kind === "send_signal" ? action.to : null,
    };
  }
}

function interactionOf(event: ScenarioEvent): Interaction {
  switch (event.kind) {
    case "input":
      return { kind: "send_input", data: event.data, sensitive: event.sensitive };
    case "signal":
      return { kind: "send_signal", signal: event.signal, to: "root" };
    case "resize":
      return { kind: "resize", columns: event.columns, rows: event.rows };
    case "close_stdin":
      return { kind: "close_stdin" };
  }
}

import type { ReactiveDriver } from "../reactive/reactive-driver.js";
import type { Interaction } from "./interactions.js";

export type ReactiveEvent = Parameters<ReactiveDriver["event"]>[0];

/** What a reactive scenario is told when something was done to the program. */
export const dispatchedEvents: { readonly [kind in Interaction["kind"]]: ReactiveEvent } = {
  send_input: "input_dispatched",
  resize: "resized",
  send_signal: "signal_sent",
  close_stdin: "stdin_closed",
};

import type { LinkedElectron } from "../link/electron.js";
import type { FileRows } from "./file-rows.js";
import type { GraphRows, Surety } from "./graph-rows.js";

const byChannel: Surety = { certainty: "high", reason: "Equal channel names join both sides; whether the message arrives depends on which processes live." };

interface Joining {
  readonly files: FileRows;
  readonly rows: GraphRows;
}

/** Lets messages reach the handlers of their channels: what is sent follows the event as the handler's second parameter. */
export function joinMessages({ channels }: LinkedElectron, files: FileRows, rows: GraphRows): void {
  for (const { state, direction, senders, handlers } of channels) {
    if (state !== "paired") continue;
    const callsOf = (calls: typeof senders): number[] => calls.map(({ script, at }) => files.callAt(script.path, at.start, at.end)).filter((node) => node >= 0);
    const receivers = callsOf(handlers);
    for (const sender of callsOf(senders)) for (const receiver of receivers) join(sender, receiver, { files, rows, isAnswered: direction === "invoke" });
  }
}

function join(sender: number, receiver: number, { files, rows, isAnswered }: Joining & { readonly isAnswered: boolean }): void {
  rows.edge("sends-message", sender, receiver, byChannel);
  for (const target of files.handlersOf(receiver)) {
    rows.edge("dispatches", sender, target, byChannel);
    if (isAnswered) rows.edge("returns-to-call", target, sender, byChannel);
    receive(sender, target, { files, rows });
  }
}

/** The channel stands first in the call, the event first in the handler. */
function receive(sender: number, target: number, { files, rows }: Joining): void {
  const [, ...parameters] = files.parametersOf(target);
  const [, ...sent] = files.sentBy(sender);
  for (const [position, values] of sent.entries()) {
    const parameter = parameters[position] ?? -1;
    if (parameter >= 0) for (const value of values) rows.edge("argument-to-parameter", value, parameter, byChannel);
  }
}

import type { LinkedElectron } from "../link/electron.js";
import type { FileRows } from "./file-rows.js";
import type { GraphRows, Surety } from "./graph-rows.js";

const byChannel: Surety = { certainty: "high", reason: "Equal channel names join both sides; whether the message arrives depends on which processes live." };

/** Lets messages reach the handlers of their channels: what is sent follows the event as the handler's second parameter. */
export function joinMessages({ channels }: LinkedElectron, files: FileRows, rows: GraphRows): void {
  for (const { state, direction, senders, handlers } of channels) {
    if (state !== "paired") continue;
    const receivers = handlers.map(({ script, at }) => files.callAt(script.path, at.start, at.end)).filter((node) => node >= 0);
    for (const { script, at } of senders) {
      const sender = files.callAt(script.path, at.start, at.end);
      if (sender < 0) continue;
      for (const receiver of receivers) {
        rows.edge("sends-message", sender, receiver, byChannel);
        for (const target of files.handlersOf(receiver)) {
          rows.edge("dispatches", sender, target, byChannel);
          if (direction === "invoke") rows.edge("returns-to-call", target, sender, byChannel);
          const parameters = files.parametersOf(target);
          for (const [position, values] of files.sentBy(sender).entries()) {
            const parameter = position === 0 ? -1 : (parameters[position] ?? -1);
            if (parameter >= 0) for (const value of values) rows.edge("argument-to-parameter", value, parameter, byChannel);
          }
        }
      }
    }
  }
}

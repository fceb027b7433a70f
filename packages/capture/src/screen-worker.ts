import { parentPort } from "node:worker_threads";
import { normalizeOutput } from "./normalize/normalized-view.js";
import { Redactor } from "./sensitive/redactor.js";
import type { ScreenBeginning, ScreenNews, ScreenTask } from "./terminal/screen-messages.js";
import { Screen } from "./terminal/screen.js";

/** Entry point of a thread that emulates one terminal, and normalises what was written to it: both take longer than the main thread may be held. */

function begin({ kind: _, hidden, ...size }: ScreenBeginning): void {
  const screen = new Screen({
    ...size,
    redactor: new Redactor(hidden.map(({ alias, bytes }) => ({ alias, bytes: Buffer.from(bytes) }))),
    reply: (data) => tell({ kind: "answer", data }),
  });
  let last: Promise<void> = Promise.resolve();
  parentPort?.on("message", (task: ScreenTask) => {
    if (task.kind === "write") return screen.write(task.bytes, () => tell({ kind: "drawn", bytes: task.bytes.length }));
    // A size, and a look, come after everything that was written before.
    last = last.then(() => serve(screen, task));
  });
  tell({ kind: "ready" });
}

async function serve(screen: Screen, task: Exclude<ScreenTask, { kind: "write" }>): Promise<void> {
  if (task.kind === "normalize") return tell({ kind: "normalized", id: task.id, output: normalizeOutput(task.output) });
  if (task.kind === "look") return tell({ kind: "shot", id: task.id, shot: await screen.look() });
  await screen.drawn();
  screen.resize(task);
}

function tell(news: ScreenNews): void {
  parentPort?.postMessage(news);
}

parentPort?.once("message", begin);

import { emitKeypressEvents, type Key } from "node:readline";
import { interrupt } from "../interrupt.js";
import type { Choice } from "./choice.js";

/** A list with boxes: arrows move, blank ticks, a ticks all, enter takes, escape leaves. Null when the person leaves. */
export function chooseFromList(question: string, choices: readonly Choice[]): Promise<readonly string[] | null> {
  const { stdin, stderr } = process;
  const state = listState(choices.length);
  stderr.write(`${question}\n(arrows move, blank ticks, a ticks all, enter takes, escape leaves)\n`);
  const draw = (again: boolean) => {
    const lines = choices.map(({ label }, at) => `\u001B[2K${at === state.at ? ">" : " "} [${state.ticked.has(at) ? "x" : " "}] ${label}\n`);
    stderr.write(`${again ? `\u001B[${String(choices.length)}A` : ""}${lines.join("")}`);
  };
  return new Promise((resolve) => {
    const end = (chosen: readonly string[] | null) => {
      stdin.off("keypress", onKey);
      stdin.setRawMode(false);
      stdin.pause();
      resolve(chosen);
    };
    const onKey = (_text: string | undefined, key: Key) => {
      if (key.ctrl === true && key.name === "c") {
        end(null);
        process.kill(process.pid, "SIGINT");
        return;
      }
      const outcome = state.press(key.name ?? "");
      draw(true);
      if (outcome === "leave") end(null);
      else if (outcome === "take") end(choices.filter((_choice, at) => state.ticked.has(at)).map(({ value }) => value));
    };
    emitKeypressEvents(stdin);
    stdin.setRawMode(true);
    stdin.resume();
    stdin.on("keypress", onKey);
    interrupt.signal.addEventListener("abort", () => { end(null); }, { once: true });
    draw(false);
  });
}

/** Where the list's mark is and what is ticked. */
export function listState(length: number) {
  const ticked = new Set<number>();
  const state = {
    at: 0,
    ticked,
    press(key: string): "take" | "leave" | "stay" {
      if (key === "return" || key === "enter") return "take";
      if (key === "escape" || key === "q") return "leave";
      if (key === "up" || key === "k") state.at = (state.at + length - 1) % length;
      else if (key === "down" || key === "j") state.at = (state.at + 1) % length;
      else if (key === "space" && !ticked.delete(state.at)) ticked.add(state.at);
      else if (key === "a") for (let at = 0; at < length; at += 1) ticked.add(at);
      return "stay";
    },
  };
  return state;
}

import { createInterface } from "node:readline";
import { interrupt } from "../interrupt.js";
import type { Choice } from "./choice.js";
import { chooseFromList } from "./choose-from-list.js";

/** Questions to the person at the terminal. They go to standard error; standard output is the result's alone. */
export interface Prompts {
  /** No is the answer of an empty line, of the end of input and of an interrupt. */
  confirm(question: string): Promise<boolean>;
  /** The values chosen, in the order of the list; null when the person leaves. */
  choose(question: string, choices: readonly Choice[]): Promise<readonly string[] | null>;
}

/** Null where nobody can be asked: standard input or standard error is no terminal. */
export function terminalPrompts(env: NodeJS.ProcessEnv = process.env): Prompts | null {
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) return null;
  // A list that is drawn over itself is of no use to a screen reader, nor on a terminal that cannot move its cursor.
  const plain = env["TERM"] === "dumb" || (env["ACCESSIBLE"] ?? "") !== "";
  return {
    confirm: async (question) => /^y(es)?$/i.test((await ask(`${question} [y/N] `)) ?? ""),
    choose: (question, choices) => (plain ? chooseByNumber(question, choices) : chooseFromList(question, choices)),
  };
}

/** Null at the end of input and when interrupted. */
function ask(question: string): Promise<string | null> {
  return new Promise((resolve) => {
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    const end = (answer: string | null) => {
      // Closing tells of the end of input.
      resolve(answer);
      lines.close();
    };
    interrupt.signal.addEventListener("abort", () => { end(null); }, { once: true });
    lines.once("SIGINT", () => process.kill(process.pid, "SIGINT"));
    lines.once("close", () => { resolve(null); });
    lines.question(question, (answer) => { end(answer.trim()); });
  });
}

async function chooseByNumber(question: string, choices: readonly Choice[]): Promise<readonly string[] | null> {
  const list = choices.map(({ label }, at) => `  ${String(at + 1)}. ${label}\n`).join("");
  process.stderr.write(`${question}\n${list}`);
  for (;;) {
    const answer = await ask("Numbers with commas between them, all, or nothing to leave: ");
    if (answer === null || answer === "") return null;
    const chosen = chosenValues(answer, choices);
    if (chosen !== null) return chosen;
    process.stderr.write(`Please give numbers from 1 to ${String(choices.length)}.\n`);
  }
}

/** Null when a word is none of the list. */
export function chosenValues(answer: string, choices: readonly Choice[]): readonly string[] | null {
  if (/^all$/i.test(answer)) return choices.map(({ value }) => value);
  const numbers = answer.split(/[\s,]+/).filter((word) => word !== "").map((word) => (/^[0-9]{1,3}$/.test(word) ? Number(word) : 0));
  if (numbers.length === 0 || numbers.some((number) => number < 1 || number > choices.length)) return null;
  return choices.filter((_choice, at) => numbers.includes(at + 1)).map(({ value }) => value);
}

import { readdirSync, readFileSync } from "node:fs";

/** Live processes with `text` in their arguments, from the process table of Linux. */
export function processesUsing(text: string): { readonly pid: number; readonly arguments: readonly string[] }[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), arguments: argumentsOf(name) }))
    .filter(({ arguments: args }) => args.some((argument) => argument.includes(text)));
}

function argumentsOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split(/[\0 ]/);
  } catch {
    return [];
  }
}

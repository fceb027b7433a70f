import { readdirSync, readFileSync } from "node:fs";
import type { Client } from "../table/clients.js";

/** Clients of the list that run now, by the names of their processes; none where the system does not tell (it is a hint). */
export function runningClients(candidates: readonly Client[], proc = "/proc"): readonly Client[] {
  const names = new Set(processNames(proc));
  return candidates.filter(({ processes }) => processes.some((name) => names.has(name)));
}

function processNames(proc: string): readonly string[] {
  try {
    return readdirSync(proc)
      .filter((name) => /^[0-9]+$/.test(name))
      .flatMap((pid) => nameOf(`${proc}/${pid}/comm`));
  } catch {
    return [];
  }
}

function nameOf(path: string): string[] {
  try {
    return [readFileSync(path, "utf8").trim()];
  } catch {
    return [];
  }
}

import { readConfig } from "../documents/read-config.js";
import { inspectFile } from "../files/inspect-file.js";
import type { CommandVector } from "../registration/command-vector.js";
import { entryState, startLimitOf } from "../registration/registration-state.js";
import type { PlanHost } from "../setup/plan-client.js";
import { clientById, type Client, type ClientId } from "../table/clients.js";
import { isJsonObject } from "@rea/core";
import { environmentKey } from "../registration/entry.js";

/** How REA is registered with one client. Values of the entry's environment are in no field but `start`. */
export interface Registration {
  readonly client: ClientId;
  readonly label: string;
  readonly path: string | null;
  readonly state: "aligned" | "stale" | "missing" | "invalid";
  /** One sentence. */
  readonly detail: string;
  readonly line: number | null;
  readonly column: number | null;
  /** Positions of the command and its arguments that differ from what is expected. */
  readonly differing_positions: readonly number[];
  readonly expected: CommandVector | null;
  readonly variables: readonly string[];
  /** A command that can be pasted; null when nothing is to be done. */
  readonly remediation: string | null;
  /** What the client would start; null when the entry is not REA's, or there is none. Never printed. */
  readonly start: { readonly vector: CommandVector; readonly environment: { readonly [name: string]: string }; readonly limitMs: number } | null;
}

/** Reads the registration with one client; changes nothing. */
export function registrationOf(id: ClientId, at: PlanHost): Registration {
  const client = clientById(id);
  const path = client.config?.file(at.host) ?? null;
  const about = { client: id, label: client.label, path, line: null, column: null, differing_positions: [], expected: null, variables: [], start: null };
  const command = `rea setup --client ${id}`;
  if (client.config === null || path === null) {
    return { ...about, state: "missing", detail: `${client.label} keeps its servers in its own settings, which are not read.`, remediation: `Add REA in the settings of ${client.label}: ${commandText(at)}` };
  }
  const file = inspectFile(path, at.host.uid);
  if (file.state === "refused") return { ...about, state: "invalid", detail: file.why, remediation: command };
  if (file.state === "absent") return { ...about, state: "missing", detail: "There is no configuration file.", remediation: command };
  const read = readConfig(file.bytes, client.config);
  if (!read.ok) {
    const { line, column, what } = read.problem;
    return { ...about, state: "invalid", line, column, detail: `Line ${String(line)}, column ${String(column)}: ${what}.`, remediation: `Correct line ${String(line)} of ${path}, then run: ${command}` };
  }
  return judged(client, { ...about, path, remediation: command }, { at, document: read.document });
}

type About = Omit<Registration, "state" | "detail">;

function judged(client: Client, about: About, { at, document }: { readonly at: PlanHost; readonly document: Extract<ReturnType<typeof readConfig>, { ok: true }>["document"] }): Registration {
  const { config } = client;
  const state = config === null ? null : entryState(document, config, { installation: at.installation, platform: at.host.platform });
  if (state === null || config === null) return { ...about, state: "missing", detail: "There is no entry rea." };
  const { vector, own, expected, differing_positions, variables } = state;
  const line = document.line;
  const start = vector === null || !own ? null : { vector, environment: environmentOf(document.entry, config), limitMs: startLimitOf(client, document.entry) };
  const known = { ...about, line, expected, differing_positions, variables, start };
  if (state.state === "aligned") return { ...known, state: "aligned", detail: "The entry starts this version.", remediation: null };
  if (!own) {
    return { ...known, state: "stale", detail: "The entry rea does not start REA.", remediation: `Rename or remove the entry rea in line ${String(line ?? 1)} of ${about.path ?? ""}, then run: ${about.remediation ?? ""}` };
  }
  const where = differing_positions.length > 0 ? `differs from this version at position ${differing_positions.join(", ")}` : "asks for another time to start";
  return { ...known, state: "stale", detail: `The command of the entry ${where}.` };
}

function environmentOf(entry: unknown, config: NonNullable<Client["config"]>): { readonly [name: string]: string } {
  const environment = isJsonObject(entry) ? entry[environmentKey(config.shape)] : undefined;
  const pairs = isJsonObject(environment) ? Object.entries(environment) : [];
  return Object.fromEntries(pairs.flatMap(([name, value]): [string, string][] => (typeof value === "string" ? [[name, value]] : [])));
}

function commandText({ installation }: PlanHost): string {
  return [installation.runtime, installation.cli_path, "mcp"].join(" ");
}

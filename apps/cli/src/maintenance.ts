import { isJsonObject, toReaError, type JsonObject } from "@rea/core";
import type { ClientId, DoctorReport, PlanHost } from "@rea/clients";
import { parseCatalogue } from "@rea/tool";
import { choiceOption, fileOption } from "./argument-values.js";
import { inSession, type CommandSession } from "./command-session.js";
import type { OutputArguments } from "./common-options.js";
import { catalogueText, identity } from "./identity.js";
import { interrupt } from "./interrupt.js";
import { jsonText } from "./output.js";
import { UsageError } from "./usage-error.js";

/** Options of the commands about this installation. */
export const reportOptions = {
  json: { type: "boolean", describe: "Print the exact outcome as JSON" },
  format: choiceOption("format", ["text", "json"], "How to print the outcome"),
  output: fileOption("output", "Write the outcome to this file (JSON unless --format text)"),
} as const;

export const confirmOptions = {
  yes: { type: "boolean", describe: "Carry the plan out without asking" },
  "dry-run": { type: "boolean", describe: "Print the plan and change nothing" },
} as const;

/** Given once or several times. */
export const clientOption = { type: "string", array: true, requiresArg: true, describe: "Client to look at, by its id; may be repeated" } as const;

/** What the commands about this installation start from. */
export interface Maintenance {
  readonly session: CommandSession;
  readonly at: PlanHost;
  readonly catalogue: readonly JsonObject[];
  /** Result of `binary_session` in this process. */
  readonly description: JsonObject;
}

/** Runs a command about this installation; a typed error is printed like any other. */
export function inMaintenance(given: OutputArguments, work: (parts: Maintenance) => Promise<number>): Promise<number> {
  return inSession(given, async (session) => {
    try {
      const { clientHost, installationOf } = await import("@rea/clients");
      const host = clientHost(process.env);
      const installation = installationOf({ package_name: identity.package_name, package_version: identity.package_version, cliPath: identity.server_path });
      const reply = await session.call("binary_session", {});
      if (!reply.ok) return session.fail(reply.error);
      const { result } = reply.value;
      if (!isJsonObject(result)) throw new Error("binary_session answered with no object");
      return await work({ session, at: { host, installation }, catalogue: parseCatalogue(catalogueText()), description: result });
    } catch (error) {
      if (error instanceof UsageError) throw error;
      return session.fail(toReaError(error, "rea").toObject());
    }
  });
}

/** The ids that `--client` gave. Throws `UsageError` for what is none. */
export async function clientIdsOf(given: readonly string[] | undefined): Promise<readonly ClientId[]> {
  const { clientIds } = await import("@rea/clients");
  return (given ?? []).map((name) => {
    const id = clientIds.find((known) => known === name);
    if (id === undefined) throw new UsageError(`--client takes one of ${clientIds.join(", ")}`);
    return id;
  });
}

/** What `doctor` says after a change, about the clients that were changed. */
export async function doctorOf({ at, catalogue, description }: Maintenance, given: { readonly clients: readonly ClientId[]; readonly skill: boolean }): Promise<DoctorReport> {
  const { doctor } = await import("@rea/clients");
  return doctor({ ...at, catalogue, description, ...given, provider: undefined, target: undefined, probe: false, signal: interrupt.signal });
}

/** Prints an outcome as JSON, or as the text that is given for it. */
export function printOutcome(session: CommandSession, outcome: object, text: () => string): void {
  session.text(session.json ? jsonText(outcome, session.output.terminal) : text());
}

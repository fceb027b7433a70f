import { delimiter } from "node:path";
import { reservedVariables, type InputIssue, type ProcessScenario } from "@rea/core";
import { leastHiddenBytes } from "../sensitive/hidden-values.js";
import { scenarioRefusal } from "./scenario-refusal.js";

export type HostEnvironment = { readonly [name: string]: string | undefined };

const allowed = ["PATH", "LANG", "TERM", "TZ"];
const standardPath = "/usr/local/bin:/usr/bin:/bin";
/** What the emulated terminal is. */
const emulated = "xterm-256color";

/** Values of the scenario's secrets, from the host's environment. Throws `invalid_request` for one that is missing or too short to hide. */
export function readSecrets({ secrets }: ProcessScenario, host: HostEnvironment): ReadonlyMap<string, string> {
  const issues: InputIssue[] = [];
  const values = new Map<string, string>();
  for (const [index, { name, from_env }] of secrets.entries()) {
    const value = host[from_env];
    const path = `scenario.secrets.${String(index)}.from_env`;
    if (value === undefined) issues.push({ path, reason: "invalid_value", expected: "a variable of the server's environment" });
    else if (Buffer.byteLength(value) < leastHiddenBytes) issues.push({ path, reason: "out_of_range", minimum: leastHiddenBytes });
    else values.set(name, value);
  }
  if (issues.length > 0) throw scenarioRefusal(issues);
  return values;
}

/** Everything the program gets, beside what the run itself adds. `home` is used where nothing else says where home is. */
export function targetEnvironment(
  scenario: ProcessScenario,
  { host, secrets, home }: { readonly host: HostEnvironment; readonly secrets: ReadonlyMap<string, string>; readonly home: string },
): Record<string, string> {
  const environment = inherited(scenario, host, home);
  for (const { name, value } of scenario.environment) environment[name] = value;
  for (const [name, value] of secrets) environment[name] = value;
  return environment;
}

/** Puts a directory before all others in PATH. */
export function withDirectoryFirst(environment: Readonly<Record<string, string>>, directory: string): Record<string, string> {
  const path = environment["PATH"];
  return { ...environment, PATH: path === undefined || path === "" ? directory : `${directory}${delimiter}${path}` };
}

function inherited({ inherit_environment: mode, inherit_names: names }: ProcessScenario, host: HostEnvironment, home: string): Record<string, string> {
  if (mode === "none") return {};
  const taken = mode === "all" ? Object.keys(host) : [...allowed, ...names];
  const environment: Record<string, string> = {};
  for (const name of taken) {
    const value = host[name];
    if (value !== undefined && !reservedVariables.some((reserved) => reserved === name)) environment[name] = value;
  }
  environment["PATH"] ??= standardPath;
  // The terminal is ours, whatever the one we were started from can do.
  if (environment["TERM"] === undefined || environment["TERM"] === "dumb") environment["TERM"] = emulated;
  if (mode === "listed" && !names.includes("HOME")) environment["HOME"] = home;
  return environment;
}

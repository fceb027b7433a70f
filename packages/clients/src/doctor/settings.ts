import { isAbsolute } from "node:path";
import { setting, type ClientHost } from "../table/client-host.js";
import { finding, healthy, type Check } from "./check.js";

interface Setting {
  readonly name: string;
  /** What a value must be. */
  readonly constraint: string;
  readonly valid: (value: string) => boolean;
}

const levels: ReadonlySet<string> = new Set(["trace", "debug", "info", "warn", "error", "fatal", "silent"]);
const absolute = { constraint: "an absolute path", valid: isAbsolute } as const;

/** Variables that are read at the operation that needs them; doctor tells of a wrong one before. */
const settings: readonly Setting[] = [
  { name: "GHIDRA_HEADLESS_MAXMEM", constraint: "a size such as 2G or 512M", valid: (value) => /^[1-9][0-9]*[kKmMgG]?$/.test(value) },
  { name: "GHIDRA_INSTALL_DIR", ...absolute },
  { name: "HOPPER_LAUNCHER_PATH", ...absolute },
  { name: "HOPPER_LOADER_ARGS_JSON", constraint: "a JSON array of texts", valid: isJsonTexts },
  { name: "JAVA_HOME", ...absolute },
  { name: "REA_ANALYSIS_PROVIDER", constraint: "auto, or a provider id", valid: (value) => /^[a-z][a-z0-9-]{0,63}$/.test(value) },
  { name: "REA_GHIDRA_STARTUP_TIMEOUT_MS", constraint: "a whole number from 1 to 2147483647", valid: (value) => inRange(value, 1, 2_147_483_647) },
  { name: "REA_HOPPER_STARTUP_TIMEOUT_MS", constraint: "a whole number from 1 to 2147483647", valid: (value) => inRange(value, 1, 2_147_483_647) },
  { name: "REA_HOPPER_STARTUP_TIMEOUT_MS", constraint: "a whole number from 1 to 2147483647", valid: (value) => inRange(value, 1, 2_147_483_647) },
  { name: "REA_LOG_LEVEL", constraint: `one of ${[...levels].join(", ")}`, valid: (value) => levels.has(value) },
  { name: "REA_MCP_MAX_RESPONSE_BYTES", constraint: "a whole number of at least 1048576", valid: (value) => inRange(value, 1_048_576, Number.MAX_SAFE_INTEGER) },
  { name: "REA_PROCESS_RUN_ID", constraint: "unset: REA gives it to the processes it starts", valid: () => false },
  { name: "REA_REFERENCE_SECRET_PATTERNS_JSON", constraint: "a JSON array of texts", valid: isJsonTexts },
];

/** Names of the variables that are set and that REA reads. */
export function variablesSet(env: ClientHost["env"]): readonly string[] {
  return settings.map(({ name }) => name).filter((name) => setting(env, name) !== undefined);
}

/** One check for each variable that is set; a wrong one is named with what it must be, never with its value. */
export function settingChecks(env: ClientHost["env"]): readonly Check[] {
  return settings.flatMap(({ name, constraint, valid }) => {
    const value = setting(env, name);
    if (value === undefined) return [];
    if (valid(value)) return [healthy(`setting:${name}`, `${name} is set.`)];
    return [finding(`setting:${name}`, "config_drift", `${name} must be ${constraint}. What it names is not used.`, `unset ${name}`)];
  });
}

function inRange(value: string, least: number, most: number): boolean {
  return /^[0-9]{1,16}$/.test(value) && Number(value) >= least && Number(value) <= most;
}

function isJsonTexts(value: string): boolean {
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed) && parsed.every((item) => typeof item === "string");
  } catch {
    return false;
  }
}

import { ReaError } from "@rea/core";
import { parseProviderSelector, type ProviderSelector } from "@rea/provider";

export const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/**
 * Settings of the environment, read once and strictly. A setting that is invalid throws `configuration_invalid` when an
 * operation asks for it, so that a wrong value never keeps the server from starting.
 */
export interface Configuration {
  /** `REA_ANALYSIS_PROVIDER`; undefined when unset. */
  analysisProvider(): ProviderSelector | undefined;
  /** `REA_LOG_LEVEL`; undefined when unset. */
  logLevel(): LogLevel | undefined;
  /** Throws when the caller set `REA_PROCESS_RUN_ID`, which is given to processes that REA starts and to nothing else. */
  requireOwnRunId(): void;
}

type Environment = { readonly [name: string]: string | undefined };
type Setting<T> = { readonly value: T | undefined } | { readonly error: ReaError<"configuration_invalid"> };

export function parseConfiguration(env: Environment): Configuration {
  const provider = readSetting(env, "REA_ANALYSIS_PROVIDER", parseProviderSelector, "auto, or a provider id in lower case");
  const level = readSetting(env, "REA_LOG_LEVEL", parseLogLevel, `one of ${logLevels.join(", ")}`);
  const runId = readSetting(env, "REA_PROCESS_RUN_ID", () => undefined, "unset: REA gives it to the processes it starts");
  return {
    analysisProvider: () => valueOf(provider),
    logLevel: () => valueOf(level),
    requireOwnRunId: () => valueOf(runId),
  };
}

/** An empty value counts as unset, as shells cannot always unset what they pass on. */
function readSetting<T>(
  env: Environment,
  setting: string,
  parse: (text: string) => T | undefined,
  constraint: string,
): Setting<T> {
  const text = env[setting];
  if (text === undefined || text === "") return { value: undefined };
  const value = parse(text);
  if (value !== undefined) return { value };
  return {
    error: new ReaError("configuration_invalid", {
      message: `The environment variable ${setting} is invalid: it must be ${constraint}. Correct it and restart.`,
      details: { setting, constraint },
    }),
  };
}

function valueOf<T>(setting: Setting<T>): T | undefined {
  if ("error" in setting) throw setting.error;
  return setting.value;
}

function parseLogLevel(text: string): LogLevel | undefined {
  return logLevels.find((level) => level === text);
}

import { isReaError } from "@rea/core";
import { pino } from "pino";
import type { Configuration, LogLevel } from "./configuration.js";

/** Where log lines go; anything with `write`. */
export interface LogDestination {
  write(line: string): unknown;
}

/** Structured events: one name, fields, no prose. */
export interface Logger {
  event(level: Exclude<LogLevel, "silent">, name: string, fields?: { readonly [field: string]: unknown }): void;
}

/**
 * A logger on `destination` (default: standard error). The environment's level wins over `defaultLevel`; an invalid one
 * is reported as an event and otherwise ignored.
 */
export function createLogger(
  configuration: Configuration,
  options: { readonly defaultLevel: LogLevel; readonly destination: LogDestination },
): Logger {
  const { level, problem } = levelOf(configuration, options.defaultLevel);
  const log = pino({ level, base: null }, options.destination);
  if (problem !== undefined) log.warn({ event: "configuration_invalid", ...problem });
  return { event: (at, name, fields = {}) => log[at]({ event: name, ...fields }) };
}

function levelOf(configuration: Configuration, fallback: LogLevel): { level: LogLevel; problem?: object } {
  try {
    return { level: configuration.logLevel() ?? fallback };
  } catch (error) {
    if (isReaError(error)) return { level: fallback, problem: error.details };
    throw error;
  }
}

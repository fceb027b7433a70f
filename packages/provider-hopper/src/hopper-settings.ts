import { createHash } from "node:crypto";
import { canonicalJson, z } from "@rea/core";

/** What the user set for Hopper, as it was read; nothing is looked up here. */
export interface HopperSettings {
  /** `HOPPER_LAUNCHER_PATH`; null when unset. */
  readonly launcherPath: string | null;
  /** `HOPPER_LOADER_ARGS_JSON`; null when unset, `invalid` when it is not a list of texts. */
  readonly loaderArguments: readonly string[] | "invalid" | null;
  /** `REA_HOPPER_STARTUP_TIMEOUT_MS`: milliseconds from the first call until the analysis has ended; null when out of range. */
  readonly startupMs: number | null;
  readonly home: string | null;
}

export type HopperEnvironment = Readonly<Record<string, string | undefined>>;

export const standardStartupMs = 330_000;
const maximumStartupMs = 2_147_483_647;

const loaderArguments = z
  .array(
    z
      .string()
      .max(4_096)
      .refine((text) => !text.includes("\0")),
  )
  .max(64);

export function readHopperSettings(env: HopperEnvironment): HopperSettings {
  return {
    launcherPath: given(env["HOPPER_LAUNCHER_PATH"]),
    loaderArguments: parseLoaderArguments(given(env["HOPPER_LOADER_ARGS_JSON"])),
    startupMs: startupMs(given(env["REA_HOPPER_STARTUP_TIMEOUT_MS"])),
    home: given(env["HOME"]),
  };
}

/** What of the user's loader arguments enters the analysis profile: never the arguments, which may hold paths. */
export function digestOfArguments(given: readonly string[]): string {
  return createHash("sha256").update(canonicalJson(given)).digest("hex");
}

function parseLoaderArguments(text: string | null): HopperSettings["loaderArguments"] {
  if (text === null) return null;
  try {
    const parsed = loaderArguments.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : "invalid";
  } catch {
    return "invalid";
  }
}

function startupMs(text: string | null): number | null {
  if (text === null) return standardStartupMs;
  const value = /^[1-9][0-9]{0,9}$/.test(text) ? Number(text) : Number.NaN;
  return value <= maximumStartupMs ? value : null;
}

function given(text: string | undefined): string | null {
  return text === undefined || text === "" ? null : text;
}

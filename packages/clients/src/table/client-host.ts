import { isAbsolute } from "node:path";
import { ReaError } from "@rea/core";

/** What decides where clients keep their configuration. */
export interface ClientHost {
  /** Absolute. */
  readonly home: string;
  readonly env: { readonly [name: string]: string | undefined };
  readonly platform: NodeJS.Platform;
  /** Of the user who runs REA; undefined where files have no such owner. */
  readonly uid: number | undefined;
}

/** The host of this process. Throws `configuration_invalid` when no absolute home directory is named. */
export function clientHost(env: ClientHost["env"]): ClientHost {
  const variable = process.platform === "win32" ? "USERPROFILE" : "HOME";
  const home = setting(env, "HOME") ?? setting(env, "USERPROFILE");
  if (home === undefined || !isAbsolute(home)) {
    throw new ReaError("configuration_invalid", {
      message: `There is no home directory: ${variable} must be an absolute path. Clients keep their configuration there. Set it and run the command again.`,
      details: { setting: variable, constraint: "absolute path of the home directory" },
      action: `Set ${variable} to your home directory and run the command again.`,
    });
  }
  return { home, env, platform: process.platform, uid: process.getuid?.() };
}

/** A variable's value; an empty one counts as unset. */
export function setting(env: ClientHost["env"], name: string): string | undefined {
  const value = env[name];
  return value === undefined || value === "" ? undefined : value;
}

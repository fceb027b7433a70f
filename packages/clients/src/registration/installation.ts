import { realpathSync } from "node:fs";
import { sep } from "node:path";

/** How this REA was installed, which decides the command that clients start. */
export interface Installation {
  readonly package_name: string;
  readonly package_version: string;
  /** Real path of the CLI's entry point. */
  readonly cli_path: string;
  /** Absolute path of the running Node. */
  readonly runtime: string;
  /** The CLI runs from a package that a package manager installed. */
  readonly published: boolean;
}

/** `cliPath`: as the process was started; links are followed. */
export function installationOf(given: { readonly package_name: string; readonly package_version: string; readonly cliPath: string }): Installation {
  const cli_path = realPath(given.cliPath);
  const inside = `${sep}node_modules${sep}${given.package_name.replaceAll("/", sep)}${sep}`;
  return {
    package_name: given.package_name,
    package_version: given.package_version,
    cli_path,
    runtime: process.execPath,
    published: cli_path.includes(inside),
  };
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

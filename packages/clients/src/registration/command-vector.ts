import { basename, dirname, isAbsolute } from "node:path";
import type { Installation } from "./installation.js";

/** Command and arguments as one list. */
export type CommandVector = readonly string[];

const facade = "--facade";

/** The two forms a registration of this version and this CLI can have. The first is the one that is written. */
export function commandVectors(installation: Installation, platform: NodeJS.Platform): readonly [CommandVector, CommandVector] {
  const npx = ["npx", "-y", `${installation.package_name}@${installation.package_version}`, "mcp"];
  // Windows starts scripts such as npx through its command interpreter only.
  const published = platform === "win32" ? ["cmd", "/c", ...npx] : npx;
  const local = [installation.runtime, installation.cli_path, "mcp"];
  return installation.published ? [published, local] : [local, published];
}

/** The vector is one of the forms, with or without `--facade` at its end. */
export function isAlignedVector(vector: CommandVector, forms: readonly CommandVector[]): boolean {
  return forms.some((form) => differingPositions(vector, form).length === 0);
}

/** Positions at which the vector is not the form; a `--facade` at its end is no difference. */
export function differingPositions(vector: CommandVector, form: CommandVector): number[] {
  const plain = vector.length === form.length + 1 && vector.at(-1) === facade ? vector.slice(0, -1) : vector;
  const length = Math.max(plain.length, form.length);
  return Array.from({ length }, (_, at) => at).filter((at) => plain[at] !== form[at]);
}

export function hasFacade(vector: CommandVector): boolean {
  return vector.at(-1) === facade;
}

export function withFacade(vector: CommandVector, wanted: boolean): CommandVector {
  return wanted ? [...vector, facade] : vector;
}

/**
 * Whether REA, of any version and at any path, is what a vector starts: through `npx` by the package's name, by the entry
 * point of one of its apps, or by its own command. What is not REA's is never changed and never removed.
 */
export function isReaVector(vector: CommandVector, packageName: string): boolean {
  const plain = hasFacade(vector) ? vector.slice(0, -1) : vector;
  const words = plain[0] === "cmd" && plain[1]?.toLowerCase() === "/c" ? plain.slice(2) : plain;
  const [command = "", ...args] = words;
  const name = basename(command).replace(/\.(cmd|exe)$/i, "");
  if (name === "npx") {
    const [yes, wanted = "", last] = args;
    return args.length === 3 && yes === "-y" && last === "mcp" && (wanted === packageName || wanted.startsWith(`${packageName}@`));
  }
  if (name === "rea") return args.length === 1 && args[0] === "mcp";
  const [entry = "", last] = args;
  const app = appOf(entry);
  return (app === "cli" && args.length === 2 && last === "mcp") || (app === "mcp-server" && args.length === 1);
}

/** The app whose built entry point a path is: `…/cli/dist/main.js`. */
function appOf(path: string): string | null {
  if (!isAbsolute(path) && !/^[A-Za-z]:[\\/]/.test(path)) return null;
  const unified = path.replaceAll("\\", "/");
  const dist = dirname(unified);
  return basename(unified) === "main.js" && basename(dist) === "dist" ? basename(dirname(dist)) : null;
}

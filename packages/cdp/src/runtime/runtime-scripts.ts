import { realpathSync } from "node:fs";
import { isAbsolute, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { ReaError } from "@rea/core";
import { hasOrigin, originOf, requireOrigins } from "../targets/origins.js";

/** Which scripts of a runtime may be kept. */
export interface ScriptPolicy {
  /** Absolute and after links; null when every file is allowed. */
  readonly roots: readonly string[] | null;
  /** Null when every origin is allowed. */
  readonly origins: readonly string[] | null;
}

/** Checks what the caller allows. Throws `invalid_request` for roots that are not absolute and origins that are none. */
export function scriptPolicy(given: { readonly roots: readonly string[] | undefined; readonly origins: readonly string[] | undefined }, operation: string): ScriptPolicy {
  const { roots, origins } = given;
  if (origins !== undefined) requireOrigins(origins, operation);
  const expected = "an absolute directory";
  const issues = (roots ?? []).flatMap((root, index) => (isAbsolute(root) ? [] : [{ path: `allowed_file_roots[${String(index)}]`, reason: "invalid_format" as const, expected }]));
  if (issues.length > 0) {
    throw new ReaError("invalid_request", { message: "allowed_file_roots takes absolute directories. Write the whole path.", details: { operation, issues } });
  }
  return { roots: roots?.map(canonical) ?? null, origins: origins ?? null };
}

/** Modules of the runtime itself and code without a name are kept always: they belong to nobody else. */
export function allowsScript({ roots, origins }: ScriptPolicy, url: string): boolean {
  if (!hasOrigin(url) && !isAbsolute(url)) return true;
  const path = localPathOf(url);
  if (path === null) return origins === null || origins.includes(originOf(url));
  if (roots === null) return true;
  const real = canonical(path);
  return roots.some((root) => real === root || real.startsWith(root.endsWith(sep) ? root : root + sep));
}

/** The file behind the URL of a script; older modules of a runtime are named by their path alone. */
export function localPathOf(url: string): string | null {
  if (isAbsolute(url)) return url;
  if (!/^file:/i.test(url)) return null;
  try {
    return fileURLToPath(url);
  } catch {
    return null;
  }
}

export function originKind(url: string): "application" | "runtime" | "unnamed" {
  if (url === "") return "unnamed";
  return /^(?:node|electron|internal):|^(?:internal|electron)\//.test(url) || /^evalmachine\./.test(url) ? "runtime" : "application";
}

/** A path that no longer leads anywhere is compared as it is. */
function canonical(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

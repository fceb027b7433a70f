import { canonicalJson, escapeUntrusted, jsonObject, type JsonObject } from "@rea/core";
import type { OpenState } from "./open-state.js";

/** The `open_binary` result. Paths are shown escaped, as everything that comes from a file system. */
export function openResult({ resolved, bound }: OpenState): JsonObject {
  const { target } = resolved;
  return {
    path: escapeUntrusted(target.path),
    sha256: target.sha256,
    bytes: target.bytes,
    kind: target.kind,
    format: target.format,
    architecture: target.architecture,
    available_architectures: target.available_architectures,
    role: target.role,
    ...(target.note === null ? {} : { note: target.note }),
    ...(target.bundle_root === null ? {} : { bundle_root: escapeUntrusted(target.bundle_root) }),
    binding: bound === null ? null : plainJson(bound.binding),
  };
}

/** A detached JSON copy of a value that holds only JSON. */
export function plainJson(value: unknown): JsonObject {
  return jsonObject.parse(JSON.parse(canonicalJson(value)));
}

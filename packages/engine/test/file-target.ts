import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { Target } from "@rea/provider";

/** A target for a file as opening it would describe it. */
export function fileTarget(path: string, more: Partial<Target> = {}): Target {
  const bytes = readFileSync(path);
  return {
    path,
    name: basename(path),
    sha256: createHash("sha256").update(bytes).digest("hex"),
    bytes: bytes.length,
    kind: "executable",
    format: "elf",
    architecture: process.arch === "arm64" ? "arm64" : "x86_64",
    available_architectures: [],
    role: null,
    managed: false,
    raw: null,
    note: null,
    bundle_root: null,
    ...more,
  };
}

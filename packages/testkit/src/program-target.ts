import type { Target } from "@rea/provider";

/** A target for tests of what does not read it: a small ELF program for x86-64 that nobody has. */
export function programTarget(more: Partial<Target> = {}): Target {
  return {
    path: "/t/a",
    name: "a",
    sha256: "0".repeat(64),
    bytes: 1,
    kind: "executable",
    format: "elf",
    architecture: "x86_64",
    available_architectures: ["x86_64"],
    role: null,
    managed: false,
    raw: null,
    note: null,
    bundle_root: null,
    ...more,
  };
}

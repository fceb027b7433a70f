import type { ProcessTable } from "./process-table.js";
import { createProcfsTable } from "./procfs-table.js";
import { createPsTable } from "./ps-table.js";

/** The process table of this host; where none can be read (Windows) it says so and lists nothing. */
export function hostTable(platform: NodeJS.Platform = process.platform): ProcessTable {
  switch (platform) {
    case "linux":
    case "android":
      return createProcfsTable();
    case "darwin":
    case "freebsd":
    case "netbsd":
    case "openbsd":
      return createPsTable();
    default:
      return absentTable(`no process table of ${platform} is read`);
  }
}

function absentTable(reason: string): ProcessTable {
  return {
    source: "none",
    bootId: null,
    resolution: "second",
    unreadable: reason,
    list: () => Promise.reject(new Error(reason)),
    read: () => Promise.resolve(null),
    token: () => Promise.resolve("unreadable"),
    lastPid: () => null,
    pidNamespace: () => null,
    descriptors: () => new Map(),
    appearance: () => null,
    inheritance: () => null,
    command: () => Promise.resolve(null),
  };
}

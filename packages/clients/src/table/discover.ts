import { statSync } from "node:fs";
import type { ClientHost } from "./client-host.js";
import { clients, type Client } from "./clients.js";

/** Clients whose marker directory is there, sorted by id. */
export function detectedClients(host: ClientHost): readonly Client[] {
  return clients.filter((client) => isDirectory(client.marker(host)));
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

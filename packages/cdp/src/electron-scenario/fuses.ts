import { open } from "node:fs/promises";
import type { ElectronScenarioCapture } from "@rea/core";

type Fuse = ElectronScenarioCapture["fuses"][number];

/** Before the switches in every build of Electron (`@electron/fuses`: version 1); after it a version, a length, and a byte for each. */
const sentinel = Buffer.from("dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX", "latin1");
const names = [
  "run_as_node",
  "cookie_encryption",
  "node_options",
  "node_cli_inspect",
  "embedded_asar_integrity",
  "only_load_app_from_asar",
  "load_browser_process_snapshot",
  "grant_file_protocol_privileges",
] as const;
const chunkBytes = 4 * 1024 * 1024;
const mostBytes = 1024 * 1024 * 1024;
const states = new Map([
  [0x30, false],
  [0x31, true],
]);

/** The switches that a build of Electron carries in its program; empty for one that carries none. */
export async function readFuses(path: string, signal: AbortSignal): Promise<readonly Fuse[]> {
  const file = await open(path, "r").catch(() => null);
  if (file === null) return [];
  try {
    const chunk = Buffer.alloc(chunkBytes + sentinel.length + 64);
    for (let position = 0; position < mostBytes && !signal.aborted; position += chunkBytes) {
      const { bytesRead } = await file.read(chunk, 0, chunk.length, position);
      const at = chunk.subarray(0, bytesRead).indexOf(sentinel);
      if (at >= 0) return fusesAt(chunk.subarray(at + sentinel.length, bytesRead));
      if (bytesRead < chunk.length) break;
    }
    return [];
  } finally {
    await file.close();
  }
}

function fusesAt(wire: Buffer): readonly Fuse[] {
  const [version, length = 0] = wire;
  if (version !== 1) return [];
  return names.slice(0, length).map((name, index) => {
    const enabled = states.get(wire[2 + index] ?? 0) ?? null;
    // Without it the main process takes no inspector, through which the hook is loaded.
    return { name, enabled, blocks: name === "node_cli_inspect" && enabled === false };
  });
}

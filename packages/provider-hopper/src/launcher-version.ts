import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";

/** Hopper tells its version on its screen only; the bytes of its launcher stand for it. */
export async function launcherVersion(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path, { signal })) if (Buffer.isBuffer(chunk)) hash.update(chunk);
  return `launcher-sha256:${hash.digest("hex")}`;
}

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** 256 random bits in hex, by which an engine shows that it is the one we started. */
export function createEngineToken(): string {
  return randomBytes(32).toString("hex");
}

/** Takes the same time wherever the two differ, and whatever their lengths. */
export function isSameToken(expected: string, given: string): boolean {
  return timingSafeEqual(digest(expected), digest(given));
}

/** Takes a token out of what an engine printed. */
export function withoutToken(output: Buffer, token: string): Buffer {
  const text = output.toString("latin1");
  return text.includes(token) ? Buffer.from(text.replaceAll(token, "[token]"), "latin1") : output;
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

import { hash } from "node:crypto";

/** 64 lowercase hex characters. */
export function sha256Hex(data: Uint8Array | string): string {
  return hash("sha256", data, "hex");
}

export const emptySha256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

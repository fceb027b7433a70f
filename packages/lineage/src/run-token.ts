import { randomBytes } from "node:crypto";

/** Given to every process of a run, and read back from the environments of those that may belong to it. */
export const runTokenVariable = "REA_PROCESS_RUN_ID";

/** 256 random bits in hex; never logged and never an argument. */
export function createRunToken(): string {
  return randomBytes(32).toString("hex");
}

/** Whether a NUL-separated environment block holds exactly this token. */
export function carriesToken(environment: Buffer, token: string): boolean {
  const entry = Buffer.from(`${runTokenVariable}=${token}\0`, "latin1");
  if (environment.subarray(0, entry.length).equals(entry)) return true;
  return environment.includes(Buffer.concat([Buffer.from([0]), entry]));
}

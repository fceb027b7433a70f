import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

/** True when the program is on the path; some have no option that only tells their version. */
export function isInstalled(...programs: readonly string[]): boolean {
  return programs.every((program) => {
    try {
      execFileSync("sh", ["-c", 'command -v "$0"', program], { stdio: "ignore" });
      return true;
    } catch {
      return false;
    }
  });
}

/** Runs a program in a directory; its output goes nowhere, its failure is thrown. */
export function runIn(directory: string, program: string, args: readonly string[]): string {
  return execFileSync(program, [...args], { cwd: directory, encoding: "latin1", stdio: ["ignore", "pipe", "pipe"] });
}

/** A certificate of its own issue with its key, as `cert.pem` and `key.pem`. */
export function makeCertificate(directory: string, kind: "rsa" | "ec" = "rsa"): void {
  const key = kind === "rsa" ? ["-newkey", "rsa:2048"] : ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];
  runIn(directory, "openssl", ["req", "-x509", ...key, "-nodes", "-keyout", "key.pem", "-out", "cert.pem", "-days", "30", "-subj", "/CN=Sample signer/O=Samples", "-addext", "extendedKeyUsage=codeSigning"]);
}

/** Signs `input` into `output` with osslsigncode. */
export function signPe(directory: string, input: string, output: string, ...options: readonly string[]): Buffer {
  rmSync(path.join(directory, output), { force: true });
  runIn(directory, "osslsigncode", ["sign", "-certs", "cert.pem", "-key", "key.pem", "-n", "Sample program", "-i", "https://example.invalid/", ...options, "-in", input, "-out", output]);
  return readFileSync(path.join(directory, output));
}

/** A detached CMS signature over bytes, made by openssl. */
export function signCms(directory: string, content: Uint8Array, ...options: readonly string[]): Buffer {
  writeFileSync(path.join(directory, "content"), content);
  runIn(directory, "openssl", ["cms", "-sign", "-binary", "-in", "content", "-signer", "cert.pem", "-inkey", "key.pem", "-outform", "DER", "-out", "signature.der", ...options]);
  return readFileSync(path.join(directory, "signature.der"));
}

/** The same bytes with one bit of one byte changed. */
export function flipped(bytes: Uint8Array, at: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
}

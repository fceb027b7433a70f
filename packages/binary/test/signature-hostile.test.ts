import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { flipFuses, FuseV1Options, FuseVersion, getCurrentFuseWire } from "@electron/fuses";
import { isReaError, memorySource, operations } from "@rea/core";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";

import { derChildren, readDer } from "../src/signature/der.js";
import { electronFuses } from "../src/signature/electron-fuses.js";
import { inspectSignature } from "../src/signature/inspect-signature.js";
import { finish } from "../src/signature/steps.js";
import { buildSignedMachO } from "./signed-macho-builder.js";
import { flipped, isInstalled, makeCertificate, runIn, signCms, signPe } from "./signed-samples.js";

vi.setConfig({ testTimeout: 120_000 });

const files = { infoPlist: "unknown", codeResources: "unknown" } as const;

/** The answer, or the refusal of a file that is none; anything else thrown is a fault. */
function answered(bytes: Uint8Array): string {
  try {
    const found = inspectSignature(memorySource(bytes), { files });
    expect(operations.inspect_signature.result.safeParse(found).success).toBe(true);
    return found.verdict;
  } catch (error) {
    if (isReaError(error) && error.code === "artifact_operation_failed") return "refused";
    throw error;
  }
}

function inPrivateDirectory<T>(run: (directory: string) => T): T {
  const directory = mkdtempSync(path.join(tmpdir(), "signature-"));
  try {
    return run(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function mutants(sample: Buffer, runs: number): void {
  const change = fc.array(fc.tuple(fc.nat(sample.byteLength - 1), fc.nat(255)), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(change, fc.option(fc.nat(sample.byteLength), { nil: undefined }), (changes, length) => {
      const bytes = Buffer.from(sample);
      for (const [at, value] of changes) bytes[at] = value;
      answered(length === undefined ? bytes : bytes.subarray(0, length));
    }),
    { numRuns: runs },
  );
}

test("no sealed byte of a Mach-O file can change unseen", () => {
  const sample = buildSignedMachO({ files: { infoPlist: Buffer.from("plist"), codeResources: Buffer.from("resources") } });
  expect(answered(sample)).toBe("holds");
  fc.assert(
    fc.property(fc.integer({ min: 0x200, max: 0x2fff }), (at) => {
      expect(answered(flipped(sample, at))).toBe("broken");
    }),
    { numRuns: 50 },
  );
});

test("damaged Mach-O signatures are answered or refused", () => {
  const sample = buildSignedMachO({ files: { infoPlist: Buffer.from("plist"), codeResources: "absent" } });
  mutants(sample, 150);
  // The signature alone is what most readers trust.
  for (let at = 0x3000; at < sample.byteLength; at += 3) answered(flipped(sample, at));
  for (let length = 0x3000; length < sample.byteLength; length += 5) answered(sample.subarray(0, length));
});

describe.skipIf(!isInstalled("openssl", "osslsigncode", "x86_64-w64-mingw32-gcc"))("signed by programs (skipped without openssl, osslsigncode and MinGW)", () => {
  test("damaged Authenticode signatures are answered or refused", () => {
    const signed = inPrivateDirectory((directory) => {
      makeCertificate(directory);
      writeFileSync(path.join(directory, "program.c"), "int main(void) { return 7; }\n");
      runIn(directory, "x86_64-w64-mingw32-gcc", ["-O1", "-s", "program.c", "-o", "program.exe"]);
      return signPe(directory, "program.exe", "signed.exe", "-h", "sha256", "-ph");
    });
    const table = inspectSignature(memorySource(signed)).pe?.certificate_table?.file_offset ?? 0;
    for (let at = table; at < signed.byteLength; at += 7) answered(flipped(signed, at));
    for (let at = 0x400; at < table; at += 997) expect(answered(flipped(signed, at))).toBe("broken");
    mutants(signed, 100);
  });

  test("the signature behind a kernel module is read and verified", () => {
    inPrivateDirectory((directory) => {
      makeCertificate(directory);
      const module = Buffer.from(readFileSync(process.execPath).subarray(0, 4096));
      const append = (content: Buffer, signature: Buffer) => {
        const trailer = Buffer.alloc(12);
        trailer[2] = 2;
        trailer.writeUInt32BE(signature.byteLength, 8);
        return Buffer.concat([content, signature, trailer, Buffer.from("~Module signature appended~\n")]);
      };
      const signature = signCms(directory, module, "-noattr");
      const found = inspectSignature(memorySource(append(module, signature)));
      expect(found).toMatchObject({ format: "elf", verdict: "holds", elf: { appended: { id_type: "pkcs7", signed_bytes: 4096, signers: [{ signature: { verdict: "holds" } }] } } });
      expect(answered(append(flipped(module, 100), signature))).toBe("broken");
      mutants(append(module, signature), 60);
    });
  });
});

test("random bytes are no endless or crashing structure", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      try {
        derChildren(readDer(bytes));
      } catch (error) {
        expect(isReaError(error)).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
  // Indefinite lengths inside one another, as deep as the bytes go.
  expect(() => readDer(Buffer.from("3080".repeat(5000), "hex"))).toThrow(/reaches past/);
});

describe("Electron's fuses", () => {
  const marker = Buffer.from("dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX");
  const read = (bytes: Uint8Array) => finish(electronFuses(memorySource(bytes)));

  test("are read with their names, wherever the wire stands", () => {
    const wire = Buffer.concat([marker, Buffer.from([1, 6]), Buffer.from("010r1\x90", "latin1")]);
    for (const before of [0, 100, (1 << 20) - 5, (1 << 20) - 33, 1 << 20]) {
      const [found] = read(Buffer.concat([Buffer.alloc(before, 1), wire]));
      expect([before, found?.file_offset, found?.version]).toEqual([before, before, 1]);
      expect(found?.fuses.map(({ name, state }) => `${name}=${state}`)).toEqual([
        "RunAsNode=disabled",
        "EnableCookieEncryption=enabled",
        "EnableNodeOptionsEnvironmentVariable=disabled",
        "EnableNodeCliInspectArguments=removed",
        "EnableEmbeddedAsarIntegrityValidation=enabled",
        "OnlyLoadAppFromAsar=inherited",
      ]);
    }
  });

  test("are those that @electron/fuses sets and reads", async () => {
    const directory = mkdtempSync(path.join(tmpdir(), "fuses-"));
    try {
      const program = path.join(directory, "electron");
      writeFileSync(program, Buffer.concat([Buffer.alloc(5000), marker, Buffer.from([1, 8]), Buffer.from("10111000"), Buffer.alloc(100)]));
      await flipFuses(program, {
        version: FuseVersion.V1,
        [FuseV1Options.RunAsNode]: false,
        [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
        [FuseV1Options.OnlyLoadAppFromAsar]: true,
      });
      const [found] = read(readFileSync(program));
      const theirs = new Map(Object.entries(await getCurrentFuseWire(program)));
      const words = new Map([[48, "disabled"], [49, "enabled"], [114, "removed"], [144, "inherited"]]);
      expect(found?.fuses).toHaveLength(8);
      for (const [index, { name, state }] of (found?.fuses ?? []).entries()) {
        expect([name, state]).toEqual([FuseV1Options[index], words.get(Number(theirs.get(String(index))))]);
      }
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });

  test("a wire that is cut, and a marker that only a program's text holds, are none", () => {
    expect(read(Buffer.concat([marker, Buffer.from([1, 9, 0x30])]))).toEqual([]);
    expect(read(Buffer.concat([marker, Buffer.from([0, 0])]))).toEqual([]);
  });
});

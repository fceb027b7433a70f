import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { memorySource, operations } from "@rea/core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { bundleFilesOf } from "../src/signature/bundle-files.js";
import { inspectSignature } from "../src/signature/inspect-signature.js";
import type { BundleFiles } from "../src/signature/macho-slots.js";
import { buildSignedMachO, sealedPages } from "./signed-macho-builder.js";
import { flipped, isInstalled, makeCertificate, runIn, signCms } from "./signed-samples.js";

vi.setConfig({ testTimeout: 120_000 });

const canLink = isInstalled("clang-19", "ld64.lld-19", "llvm-lipo-19");
const canSign = isInstalled("openssl");
const inspect = (bytes: Uint8Array, files?: BundleFiles) => inspectSignature(memorySource(bytes), { files });
const plist = Buffer.from('<plist><dict><key>CFBundleExecutable</key><string>program</string></dict></plist>');

let directory = "";
beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), "macho-signature-"));
  if (canSign) makeCertificate(directory, "ec");
  if (!canLink) return;
  writeFileSync(path.join(directory, "main.c"), "int table[20000] = {1}; int main(void) { return table[3]; }\n");
  for (const architecture of ["arm64", "x86_64"]) {
    runIn(directory, "clang-19", [`--target=${architecture}-apple-macos11`, "-c", "main.c", "-o", `${architecture}.o`]);
    const options = ["-arch", architecture, "-platform_version", "macos", "11.0", "11.0", "-adhoc_codesign", "-e", "_main", "-undefined", "dynamic_lookup"];
    runIn(directory, "ld64.lld-19", [...options, `${architecture}.o`, "-o", architecture]);
  }
  runIn(directory, "llvm-lipo-19", ["-create", "arm64", "x86_64", "-output", "both"]);
});
afterAll(() => {
  rmSync(directory, { recursive: true, force: true });
});

describe.skipIf(!canLink)("programs signed by lld (skipped without clang, lld and lipo of LLVM 19)", () => {
  test("every page of every slice holds", () => {
    const found = inspect(readFileSync(path.join(directory, "both")));
    expect(operations.inspect_signature.result.safeParse(found).success).toBe(true);
    expect([found.format, found.verdict, found.problems]).toEqual(["mach-o-universal", "holds", []]);
    expect(found.slices.map(({ architecture, ad_hoc, linker_signed, cms }) => [architecture, ad_hoc, linker_signed, cms])).toEqual([
      ["x86_64", true, true, null],
      ["arm64", true, true, null],
    ]);
    for (const { code_directories } of found.slices) {
      const [one] = code_directories;
      expect(one?.pages.checked).toBe(Math.ceil((one?.code_limit ?? 0) / (one?.page_size ?? 1)));
      expect(one?.pages.matched).toBe(one?.pages.checked);
    }
  });

  test("one changed byte breaks exactly the page it is in, of its slice alone", () => {
    const whole = readFileSync(path.join(directory, "both"));
    const arm = inspect(whole).slices.find(({ architecture }) => architecture === "arm64");
    const at = (arm?.offset ?? 0) + 20_000;
    const found = inspect(flipped(whole, at));
    const page = Math.floor(20_000 / (arm?.code_directories[0]?.page_size ?? 1));
    expect(found.verdict).toBe("broken");
    expect(found.slices.map(({ architecture, code_directories }) => [architecture, code_directories[0]?.pages.mismatched.map((one) => one.page)])).toEqual([
      ["x86_64", []],
      ["arm64", [page]],
    ]);
  });

  test("one slice is looked at when it is named", () => {
    const both = memorySource(readFileSync(path.join(directory, "both")));
    expect(inspectSignature(both, { architecture: "arm64" }).slices.map(({ architecture }) => architecture)).toEqual(["arm64"]);
    expect(() => inspectSignature(both, { architecture: "riscv64" })).toThrow(/slices/);
  });
});

describe("a directory with everything in it", () => {
  const files: BundleFiles = { infoPlist: plist, codeResources: Buffer.from("resources") };

  test("pages of both directories, special slots and entitlements hold", () => {
    const found = inspect(buildSignedMachO({ files }), files);
    expect([found.verdict, found.problems, found.coverage.omissions]).toEqual(["holds", [], []]);
    const [slice] = found.slices;
    expect(slice?.code_directories.map(({ slot, hash_type, pages }) => [slot, hash_type, pages.checked, pages.matched])).toEqual([
      [0, "sha1", sealedPages, sealedPages],
      [4096, "sha256", sealedPages, sealedPages],
    ]);
    expect(slice?.code_directories[0]).toMatchObject({ identifier: "com.example.sample", team: "TEAM123456", flags: ["runtime"], runtime_version: "13.1.0" });
    expect(slice?.code_directories[1]?.special.map(({ name, verdict }) => [name, verdict])).toEqual([
      ["Info.plist", "holds"],
      ["requirements", "holds"],
      ["CodeResources", "holds"],
      ["entitlements", "holds"],
    ]);
    expect(slice?.entitlements?.text).toContain("com.apple.security.app-sandbox");
    expect(slice?.notarization_ticket?.size).toBe(14);
  });

  test("a changed Info.plist, a missing CodeResources and files nobody looked at are told apart", () => {
    const verdicts = (given: BundleFiles) => inspect(buildSignedMachO({ files }), given).slices[0]?.code_directories[0]?.special.map(({ verdict }) => verdict);
    expect(verdicts({ infoPlist: Buffer.from("changed"), codeResources: "absent" })).toEqual(["broken", "holds", "missing", "holds"]);
    expect(verdicts({ infoPlist: "unknown", codeResources: "unknown" })).toEqual(["not_checked", "holds", "not_checked", "holds"]);
  });

  test("the files are found around the main program of a bundle only", () => {
    const contents = path.join(directory, "Sample.app", "Contents");
    mkdirSync(path.join(contents, "MacOS"), { recursive: true });
    mkdirSync(path.join(contents, "_CodeSignature"));
    writeFileSync(path.join(contents, "Info.plist"), plist);
    writeFileSync(path.join(contents, "_CodeSignature", "CodeResources"), "resources");
    expect(bundleFilesOf(path.join(contents, "MacOS", "program"))).toEqual({ infoPlist: Uint8Array.from(plist), codeResources: Uint8Array.from(Buffer.from("resources")) });
    expect(bundleFilesOf(path.join(contents, "MacOS", "helper"))).toEqual({ infoPlist: "unknown", codeResources: "unknown" });
  });

  test("bytes between the sealed pages and the signature, and behind it, are named", () => {
    const loose = inspect(buildSignedMachO({ files, codeLimit: 0x1800 }));
    expect(loose.slices[0]?.anomalies.map(({ kind }) => kind)).toEqual(["unsealed_bytes", "unsealed_bytes"]);
    expect(loose.verdict).toBe("broken");
    const behind = inspect(Buffer.concat([buildSignedMachO({ files }), Buffer.alloc(9)]));
    expect(behind.slices[0]?.anomalies.map(({ kind }) => kind)).toEqual(["bytes_behind_signature"]);
  });

  test("a directory of more pages than the file has says which are missing", () => {
    const [slice] = inspect(buildSignedMachO({ files, codeLimit: 0x9000 })).slices;
    expect(slice?.code_directories[0]?.pages.mismatched.at(-1)).toMatchObject({ page: 8, calculated: null });
    expect(slice?.anomalies.map(({ kind }) => kind)).toContain("seals_itself");
  });
});

describe.skipIf(!canSign)("directories signed with a certificate (skipped without openssl)", () => {
  const files: BundleFiles = { infoPlist: "unknown", codeResources: "unknown" };
  const sign = (cms: (directoryBytes: Uint8Array) => Buffer) => buildSignedMachO({ files: { infoPlist: plist, codeResources: Buffer.from("resources") }, cms });

  test("the signature over the first code directory holds", () => {
    const found = inspect(sign((bytes) => signCms(directory, bytes)), files);
    expect([found.verdict, found.problems]).toEqual(["holds", []]);
    expect(found.slices[0]?.cms).toMatchObject({
      certificates: [{ subject: "CN=Sample signer, O=Samples", key: "ec prime256v1", self_issued: true }],
      signers: [{ signature_algorithm: "ECDSA with sha256", content_digest: { verdict: "holds" }, signature: { verdict: "holds" } }],
    });
  });

  test("a directory changed after it was signed is named, its pages still being right", () => {
    const found = inspect(sign((bytes) => signCms(directory, flipped(bytes, bytes.byteLength - 1))), files);
    expect(found.verdict).toBe("broken");
    const calculated = found.slices[0]?.cms?.signers[0]?.content_digest.calculated;
    expect(found.slices[0]?.cms?.signers[0]).toMatchObject({ content_digest: { verdict: "broken" }, signature: { verdict: "holds" } });
    expect(calculated).not.toBe(createHash("sha256").update("").digest("hex"));
  });

  test("a signature without attributes is over the directory itself", () => {
    const found = inspect(sign((bytes) => signCms(directory, bytes, "-noattr")), files);
    expect(found.slices[0]?.cms?.signers[0]).toMatchObject({ content_digest: { verdict: "not_verified" }, signature: { verdict: "holds" } });
  });

  test("a signature without its certificate is not verified, and says so", () => {
    const found = inspect(sign((bytes) => signCms(directory, bytes, "-nocerts")), files);
    expect(found.slices[0]?.cms?.signers[0]?.signature).toEqual({ verdict: "not_verified", reason: "The signer's certificate is not part of the signature." });
  });
});

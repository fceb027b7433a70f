import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { memorySource, operations } from "@rea/core";
import { corpusFile, type CorpusPackage } from "@rea/testkit";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { inspectSignature } from "../src/signature/inspect-signature.js";
import { buildSmallPe } from "./pe-builder.js";
import { flipped, isInstalled, makeCertificate, runIn, signPe } from "./signed-samples.js";

vi.setConfig({ testTimeout: 120_000 });

const canSign = isInstalled("openssl", "osslsigncode", "x86_64-w64-mingw32-gcc");
const inspect = (bytes: Uint8Array) => inspectSignature(memorySource(bytes));
const signatures = (bytes: Uint8Array) => inspect(bytes).pe?.signatures ?? [];

let directory = "";
beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), "pe-signature-"));
  if (!canSign) return;
  makeCertificate(directory);
  writeFileSync(path.join(directory, "program.c"), "int main(void) { return 7; }\n");
  runIn(directory, "x86_64-w64-mingw32-gcc", ["-O1", "-s", "program.c", "-o", "program.exe"]);
});
afterAll(() => {
  rmSync(directory, { recursive: true, force: true });
});

test("a file without certificates is unsigned, and its checksum is still judged", () => {
  const { verdict, pe, trust } = inspect(buildSmallPe());
  expect([verdict, trust, pe?.signed, pe?.certificate_table]).toEqual(["unsigned", "not-evaluated", false, null]);
  expect(pe?.checksum.verdict).toBe("not_set");
});

describe.skipIf(!canSign)("files signed by osslsigncode (skipped without it, openssl and MinGW)", () => {
  test.each([["sha1"], ["sha256"], ["sha384"], ["sha512"]])("the %s digest, the signature and the names are those that were signed", (algorithm) => {
    const found = inspect(signPe(directory, "program.exe", "signed.exe", "-h", algorithm));
    expect([found.verdict, found.problems]).toEqual(["holds", []]);
    expect(operations.inspect_signature.result.safeParse(found).success).toBe(true);
    expect(found.pe?.signatures).toMatchObject([
      {
        nested: false,
        image_digest: { algorithm, verdict: "holds" },
        program_name: "Sample program",
        program_url: "https://example.invalid/",
        certificates: [{ subject: "CN=Sample signer, O=Samples", self_issued: true }],
        signers: [{ subject: "CN=Sample signer, O=Samples", digest_algorithm: algorithm, content_digest: { verdict: "holds" }, signature: { verdict: "holds" } }],
      },
    ]);
    const theirs = runIn(directory, "osslsigncode", ["verify", "-in", "signed.exe", "-CAfile", "cert.pem"]);
    const digest = found.pe?.signatures[0]?.image_digest.calculated ?? "";
    expect(theirs.toLowerCase()).toContain(`calculated message digest : ${digest}`);
    expect(theirs.toLowerCase()).toContain(Number(found.pe?.checksum.calculated).toString(16));
  });

  test("page hashes hold, and one changed byte breaks one page, the digest and the checksum", () => {
    const signed = signPe(directory, "program.exe", "pages.exe", "-h", "sha256", "-ph");
    const [whole] = signatures(signed);
    expect(whole?.page_hashes?.checked).toBeGreaterThan(2);
    expect(whole?.page_hashes).toMatchObject({ algorithm: "sha256", matched: whole?.page_hashes?.checked, mismatched: [] });
    const found = inspect(flipped(signed, 0x600));
    expect(found.verdict).toBe("broken");
    expect(found.problems).toHaveLength(3);
    expect(found.pe?.signatures[0]).toMatchObject({
      image_digest: { verdict: "broken" },
      page_hashes: { mismatched_total: 1, mismatched: [{ page: 1 }] },
      signers: [{ content_digest: { verdict: "holds" }, signature: { verdict: "holds" } }],
    });
    writeFileSync(path.join(directory, "changed.exe"), flipped(signed, 0x600));
    // The judge finds the same: it ends with a failure.
    expect(() => runIn(directory, "osslsigncode", ["verify", "-in", "changed.exe", "-CAfile", "cert.pem"])).toThrow();
  });

  test("a nested signature is found and judged by itself", () => {
    signPe(directory, "program.exe", "first.exe", "-h", "sha1");
    const both = signPe(directory, "first.exe", "both.exe", "-nest", "-h", "sha256");
    expect(signatures(both).map(({ nested, image_digest }) => [nested, image_digest.algorithm, image_digest.verdict])).toEqual([
      [false, "sha1", "holds"],
      [true, "sha256", "holds"],
    ]);
  });

  test("a changed declaration is told from a changed image", () => {
    const signed = signPe(directory, "program.exe", "declared.exe", "-h", "sha256");
    const declared = Buffer.from(signatures(signed)[0]?.image_digest.declared ?? "", "hex");
    const [found] = signatures(flipped(signed, signed.indexOf(declared)));
    expect(found).toMatchObject({ image_digest: { verdict: "broken" }, signers: [{ content_digest: { verdict: "broken" }, signature: { verdict: "holds" } }] });
  });

  test("a changed signature value does not belong to the certificate's key", () => {
    const signed = signPe(directory, "program.exe", "value.exe", "-h", "sha256");
    const table = inspect(signed).pe?.certificate_table;
    const end = (table?.file_offset ?? 0) + (table?.size ?? 0);
    // The signature value ends the structure, before fewer than eight zeros.
    const [found] = signatures(flipped(signed, end - 40));
    expect(found).toMatchObject({ image_digest: { verdict: "holds" }, signers: [{ content_digest: { verdict: "holds" }, signature: { verdict: "broken" } }] });
  });

  test("bytes that no digest covers are named", () => {
    const signed = signPe(directory, "program.exe", "loose.exe", "-h", "sha256");
    const table = inspect(signed).pe?.certificate_table;
    const behind = inspect(Buffer.concat([signed, Buffer.from("appended")]));
    expect([behind.verdict, behind.pe?.anomalies.map(({ kind }) => kind)]).toEqual(["broken", ["bytes_behind_certificates"]]);
    const cut = inspect(signed.subarray(0, (table?.file_offset ?? 0) + 16));
    expect(cut.pe?.anomalies.map(({ kind }) => kind)).toContain("certificates_outside_file");
    expect(cut.coverage.state).toBe("partial");
    const padded = Buffer.concat([signed, Buffer.from("hidden program, hidden program")]).subarray(0, signed.byteLength + 24);
    const size = padded.byteLength - (table?.file_offset ?? 0);
    padded.writeUInt32LE(size, table?.file_offset ?? 0);
    const entry = padded.readUInt32LE(0x3c) + 24 + 112 + 4 * 8 + 4;
    padded.writeUInt32LE(size, entry);
    const hidden = inspect(padded);
    expect(hidden.pe?.anomalies.map(({ kind }) => kind)).toEqual(["data_behind_signature"]);
    expect(hidden.pe?.signatures[0]?.image_digest.verdict).toBe("holds");
  });
});

const signedByOthers: readonly (readonly [CorpusPackage, string, string])[] = [
  ["@electron/windows-sign@1.2.2", "vendor/signtool.exe", "sha256"],
  ["electron-winstaller@5.4.4", "vendor/signtool.exe", "sha1"],
];

test.for(signedByOthers)("%s %s holds as its publisher signed it", async ([specification, file, algorithm], context) => {
  const found = await corpusFile(specification, file);
  if (found.state === "unavailable") return context.skip(found.reason);
  const { verdict, pe } = inspect(readFileSync(found.path));
  expect(verdict).toBe("holds");
  expect(pe).toMatchObject({ checksum: { verdict: "holds" }, signatures: [{ image_digest: { algorithm, verdict: "holds" }, signers: [{ signature: { verdict: "holds" } }] }] });
  expect(pe?.signatures[0]?.signers[0]?.timestamps).toHaveLength(1);
});

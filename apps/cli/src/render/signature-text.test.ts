import { operations, type OperationResult } from "@rea/core";
import { describe, expect, test } from "vitest";
import { signatureText } from "./signature-text.js";
import { styleFor } from "./style.js";

type Signature = OperationResult<"inspect_signature">;

const unsigned: Signature = {
  format: "pe",
  verdict: "unsigned",
  problems: [],
  trust: "not-evaluated",
  slices: [],
  pe: {
    signed: false,
    checksum: { declared: "0x00000000", calculated: "0x00012345", verdict: "not_set" },
    certificate_table: null,
    signatures: [],
    anomalies: [],
  },
  elf: null,
  electron_fuses: [],
  coverage: { state: "complete", omissions: [] },
  limitations: ["No trust is evaluated."],
};

const text = (found: Signature): string => signatureText(operations.inspect_signature.result.parse(found), styleFor(false));

describe("the text of signatures", () => {
  test("an unsigned file says so in its first line", () => {
    expect(text(unsigned).split("\n")[0]).toBe("pe: not signed  trust not evaluated");
  });

  test("a broken signature comes first with what is wrong, then with the digests and who signed", () => {
    const pages = { checked: 3, matched: 2, mismatched: [{ page: 1, file_offset: 4096, size: 4096, declared: "aa", calculated: "bb" }], mismatched_total: 1, not_checked: null };
    const check = { verdict: "holds" as const, reason: null };
    const shown = text({
      ...unsigned,
      verdict: "broken",
      problems: ["The signature declares another sha256 digest of the image than it has."],
      pe: {
        signed: true,
        checksum: { declared: "0x00000001", calculated: "0x00012345", verdict: "broken" },
        certificate_table: { file_offset: 0x8000, size: 2048, entries: [] },
        anomalies: [{ kind: "bytes_behind_certificates", detail: "8 bytes stand behind the certificate table.", file_offset: 1 }],
        signatures: [
          {
            file_offset: 0x8000,
            nested: false,
            image_digest: { algorithm: "sha256", declared: "aaaa", calculated: "bbbb", verdict: "broken" },
            page_hashes: { ...pages, algorithm: "sha256" },
            program_name: "Sample",
            program_url: null,
            certificates: [{ subject: "CN=Signer", issuer: "CN=Signer", serial: "01", not_before: null, not_after: "2030-01-01T00:00:00.000Z", key: "rsa 2048", self_issued: true, sha1: "c", sha256: "dddddddddddddddddddd" }],
            signers: [
              {
                subject: "CN=Signer",
                certificate_sha256: "d",
                digest_algorithm: "sha256",
                signature_algorithm: "RSA with sha256",
                signing_time: null,
                timestamps: [{ kind: "rfc3161", time: null }],
                content_digest: { ...check, algorithm: "sha256", declared: "e", calculated: "e" },
                signature: check,
              },
            ],
          },
        ],
      },
    });
    expect(shown.split("\n").slice(0, 2)).toEqual(["pe: BROKEN  trust not evaluated", "  ✗ The signature declares another sha256 digest of the image than it has."]);
    for (const part of ["0x00000001 BROKEN (is 0x00012345)", "page 1 at 0x1000, 4,096 bytes", "signer        CN=Signer", "timestamp   unreadable", "until 2030-01-01, self-issued", "bytes_behind_certificates 8 bytes"]) {
      expect(shown).toContain(part);
    }
  });

  test("slices of a universal file and fuses have their own parts", () => {
    const shown = text({
      ...unsigned,
      format: "mach-o-universal",
      pe: null,
      slices: [{ architecture: "arm64", offset: 0, size: 1, signed: false, ad_hoc: false, linker_signed: false, location: null, code_directories: [], requirements: null, entitlements: null, entitlements_der: null, cms: null, notarization_ticket: null, anomalies: [] }],
      electron_fuses: [{ file_offset: 16, version: 1, fuses: [{ name: "RunAsNode", state: "enabled" }] }],
    });
    expect(shown).toContain("arm64  no signature");
    expect(shown).toMatch(/RunAsNode +enabled/);
  });
});

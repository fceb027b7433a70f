import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { blockPairs, schemeIds } from "../../src/formats/zip/apk/signing-block.js";
import { buildZip } from "../zip/build-zip.js";
import { complaintsOf, flipped, isInstalled, recorded, refusedAt, verified, Workshop } from "./judged.js";

vi.setConfig({ testTimeout: 120_000 });

const canSign = isInstalled("apksigner", "keytool");
const workshop = new Workshop();

/** Content of more than two of the mebibytes that are digested one by one. */
const large = Buffer.alloc(2_500_000, 0).map((_, index) => (index * 31) & 0xff);

beforeAll(() => {
  if (!canSign) return;
  workshop.write("plain.apk", buildZip([{ name: "AndroidManifest.xml", content: "<manifest/>" }, { name: "classes.dex", content: large }, { name: "res/a.txt", content: "a" }]));
  for (const [name, algorithm] of [["rsa", "RSA"], ["ec", "EC"]] as const) {
    workshop.run("keytool", "-genkeypair", "-keystore", "store", "-storepass", "secret1", "-alias", name, "-keyalg", algorithm, "-dname", `CN=Signer ${algorithm}`, "-validity", "30");
  }
});
afterAll(() => {
  workshop.remove();
});

function sign(to: string, alias: string, schemes: { readonly v1?: boolean; readonly v2?: boolean; readonly v3?: boolean }, ...options: readonly string[]): Buffer {
  workshop.copy("plain.apk", to);
  const enabled = (["v1", "v2", "v3"] as const).flatMap((scheme) => [`--${scheme}-signing-enabled`, String(schemes[scheme] === true)]);
  workshop.run("apksigner", "sign", "--ks", "store", "--ks-pass", "pass:secret1", "--ks-key-alias", alias, "--min-sdk-version", "24", ...enabled, ...options, to);
  return readFileSync(workshop.path(to));
}

/** `scheme subject algorithm: verdict` of each signature. */
async function signaturesOf(apk: Buffer): Promise<readonly string[]> {
  const { signatures } = await verified(apk);
  return signatures.flatMap(({ scheme, verdict, signers }) => signers.map(({ subject, signature_algorithm }) => `${scheme} ${subject ?? ""} ${signature_algorithm ?? ""}: ${verdict}`));
}

describe.skipIf(!canSign)("packages signed by apksigner (skipped without it and a JDK)", () => {
  test("schemes v2 and v3 hold", async () => {
    expect(await signaturesOf(sign("both.apk", "rsa", { v2: true, v3: true }))).toEqual(["apk-v3 CN=Signer RSA RSA with sha256: holds", "apk-v2 CN=Signer RSA RSA with sha256: holds"]);
    expect(await signaturesOf(sign("ec.apk", "ec", { v2: true }))).toEqual(["apk-v2 CN=Signer EC ECDSA with sha256: holds"]);
  });

  test("the digest tree of fs-verity holds", async () => {
    expect(await signaturesOf(sign("verity.apk", "rsa", { v2: true }, "--verity-enabled", "true"))).toContain("apk-v2 CN=Signer RSA RSA with sha256, verity: holds");
  });

  test("the JAR signature of scheme v1 is checked beside the others", async () => {
    const found = await verified(sign("first.apk", "rsa", { v1: true, v2: true }, "--min-sdk-version", "18"));
    expect([found.verdict, found.signatures.map(({ scheme, verdict }) => `${scheme} ${verdict}`)]).toEqual(["holds", ["apk-v2 holds", "jar holds"]]);
  });

  test("a byte changed anywhere is a contradiction of the whole package, and its members are still listed", async () => {
    const signed = sign("changed.apk", "rsa", { v2: true, v3: true });
    const directory = signed.readUInt32LE(signed.byteLength - 6);
    for (const at of [200, 2_400_000, directory + 10]) {
      const changed = flipped(signed, at);
      const found = await recorded(changed);
      expect(complaintsOf(found)).toContain("contradiction . by the APK signing block");
      expect(complaintsOf(found)).toContain("broken_signature .");
      expect(await refusedAt(changed)).toBe(".");
      expect(found.graph.occurrences.length).toBeGreaterThan(2);
    }
    workshop.write("changed.apk", flipped(signed, 200));
    expect(workshop.succeeds("apksigner", "verify", "--min-sdk-version", "24", "changed.apk")).toBe(false);
  });

  test("a changed digest, signature or certificate in the block breaks the signature", async () => {
    const signed = sign("block.apk", "rsa", { v2: true });
    const directory = signed.readUInt32LE(signed.byteLength - 6);
    const start = directory - 8 - Number(signed.readBigUInt64LE(directory - 24));
    const value = blockPairs(signed.subarray(start, directory)).find(({ id }) => id === schemeIds["apk-v2"])?.value ?? Buffer.alloc(0);
    const at = signed.indexOf(value);
    // The digest stands behind six lengths and an algorithm; the signature behind the signed data.
    const found = await verified(flipped(signed, at + 4 * 7));
    expect(found.signatures).toMatchObject([{ verdict: "broken", signers: [{ content_digest: { verdict: "broken" }, signature: { verdict: "broken" } }] }]);
    const signature = await verified(flipped(signed, at + 4 + 4 + 4 + value.readUInt32LE(8) + 4 + 4 + 4 + 4 + 20));
    expect(signature.signatures).toMatchObject([{ verdict: "broken", signers: [{ content_digest: { verdict: "holds" }, signature: { verdict: "broken" } }] }]);
  });

  test("a block of v3 that was taken away is missed by the signer of v2", async () => {
    const signed = sign("stripped.apk", "rsa", { v2: true, v3: true });
    const at = signed.lastIndexOf(Buffer.from("c06853f0", "hex"));
    const renamed = Buffer.from(signed);
    renamed.writeUInt32LE(0x12345678, at);
    const found = await recorded(renamed);
    expect(complaintsOf(found)).toContain("manifest_conflict .");
    expect(found.signatures.map(({ scheme, verdict }) => `${scheme} ${verdict}`)).toEqual(["apk-v2 holds"]);
  });

  test("damaged blocks are answered", async () => {
    const signed = sign("damaged.apk", "rsa", { v2: true, v3: true });
    const directory = signed.readUInt32LE(signed.byteLength - 6);
    for (let at = directory - 4000; at < directory; at += 211) {
      const { verdict } = await verified(flipped(signed, at));
      expect(["broken", "holds", "incomplete"]).toContain(verdict);
    }
  });
});

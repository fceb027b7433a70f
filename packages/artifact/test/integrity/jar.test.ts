import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { attributeSections } from "../../src/integrity/attribute-sections.js";
import { buildZip, type ZipMember } from "../zip/build-zip.js";
import { complaintsOf, isInstalled, recorded, refusedAt, verified, Workshop } from "./judged.js";

vi.setConfig({ testTimeout: 120_000 });

const canSign = isInstalled("jar", "jarsigner", "keytool");
const workshop = new Workshop();
const digest = (content: string, algorithm = "sha256") => createHash(algorithm).update(content).digest("base64");

beforeAll(() => {
  if (!canSign) return;
  workshop.write("tree/a.txt", "hello\n");
  workshop.write("tree/sub/b.txt", "world\n");
  workshop.write("tree/sub/a name of more than seventy-two bytes, which a manifest breaks into lines.txt", "long\n");
  workshop.run("jar", "cf", "plain.jar", "-C", "tree", ".");
  for (const key of [["RSA", "rsa"], ["EC", "ec"], ["DSA", "dsa"]] as const) {
    workshop.run("keytool", "-genkeypair", "-keystore", "store", "-storepass", "secret1", "-alias", key[1], "-keyalg", key[0], "-dname", `CN=Signer ${key[0]}`, "-validity", "30");
  }
});
afterAll(() => {
  workshop.remove();
});

/** A copy of a JAR with members replaced, added (name not there before) or left out (undefined). */
function changed(jar: string, changes: { readonly [name: string]: string | undefined }): Buffer {
  const members: ZipMember[] = [];
  const names = workshop.run("unzip", "-Z1", jar).trim().split("\n").filter((name) => !name.endsWith("/"));
  for (const name of new Set([...names, ...Object.keys(changes)])) {
    const content = name in changes ? changes[name] : workshop.output("unzip", "-p", jar, name);
    if (content !== undefined) members.push({ name, content });
  }
  return buildZip(members);
}

describe.skipIf(!canSign || !isInstalled("unzip"))("archives signed by jarsigner (skipped without a JDK and unzip)", () => {
  test.each([["rsa", "RSA"], ["ec", "ECDSA"], ["dsa", "DSA"]])("manifest, signature file and %s signature hold", async (alias, scheme) => {
    workshop.copy("plain.jar", `${alias}.jar`);
    workshop.run("jarsigner", "-keystore", "store", "-storepass", "secret1", `${alias}.jar`, alias);
    const { verdict, manifests, signatures, members } = await verified(workshop.path(`${alias}.jar`));
    expect(verdict).toBe("holds");
    expect(manifests).toMatchObject([{ kind: "jar-manifest", logical_path: "META-INF/MANIFEST.MF", verdict: "holds", broken: 0, missing: 0, extra: 0 }]);
    expect(signatures).toMatchObject([{ scheme: "jar", verdict: "holds", signers: [{ subject: `CN=Signer ${alias.toUpperCase()}`, signature: { verdict: "holds" } }] }]);
    expect(signatures[0]?.signers[0]?.signature_algorithm).toContain(scheme);
    const texts = members.filter(({ logical_path }) => logical_path.endsWith(".txt"));
    // Size, CRC-32 and digest of each.
    expect(texts.map(({ verdict: one, declared_checks }) => [one, declared_checks])).toEqual([["holds", 3], ["holds", 3], ["holds", 3]]);
  });

  test("a changed, a removed and an added member are named, as jarsigner sees them", async () => {
    workshop.write("bad.jar", changed("rsa.jar", { "sub/b.txt": "World\n", "added.txt": "new\n", "a.txt": undefined }));
    expect(complaintsOf(await recorded(workshop.path("bad.jar")))).toEqual([
      "digest_mismatch sub/b.txt",
      "manifest_extra_member added.txt",
      "manifest_missing_member a.txt",
      "contradiction sub/b.txt by the JAR manifest",
    ]);
    expect(await refusedAt(workshop.path("bad.jar"))).toBe("sub/b.txt");
    expect(workshop.succeeds("jarsigner", "-verify", "bad.jar")).toBe(false);
    const { verdict, manifests } = await verified(workshop.path("bad.jar"));
    expect([verdict, manifests[0]?.verdict, manifests[0]?.broken, manifests[0]?.missing, manifests[0]?.extra]).toEqual(["broken", "broken", 1, 1, 1]);
  });

  test("a manifest made to fit a changed member does not fit its signature file", async () => {
    const manifest = workshop.run("unzip", "-p", "rsa.jar", "META-INF/MANIFEST.MF").replace(digest("world\n"), digest("World\n"));
    workshop.write("fitted.jar", changed("rsa.jar", { "sub/b.txt": "World\n", "META-INF/MANIFEST.MF": manifest }));
    expect(complaintsOf(await recorded(workshop.path("fitted.jar")))).toEqual([
      "digest_mismatch sub/b.txt",
      "digest_mismatch META-INF/MANIFEST.MF",
      "contradiction META-INF/MANIFEST.MF by a JAR signature file",
    ]);
    expect(workshop.succeeds("jarsigner", "-verify", "fitted.jar")).toBe(false);
  });

  test("a signature file made to fit does not fit its signature", async () => {
    const name = workshop.run("unzip", "-Z1", "rsa.jar").split("\n").find((one) => one.endsWith(".SF")) ?? "";
    const file = `${workshop.run("unzip", "-p", "rsa.jar", name)}\r\nName: nothing.txt\r\n\r\n`;
    const found = await recorded(changed("rsa.jar", { [name]: file }));
    expect(complaintsOf(found)).toContain("broken_signature META-INF/RSA.RSA");
    expect(found.signatures).toMatchObject([{ verdict: "broken" }]);
  });

  test("entries added to the manifest after signing leave what was signed intact, and are told", async () => {
    const manifest = `${workshop.run("unzip", "-p", "rsa.jar", "META-INF/MANIFEST.MF")}Name: later.txt\r\nSHA-256-Digest: ${digest("later\n")}\r\n\r\n`;
    const found = await recorded(changed("rsa.jar", { "META-INF/MANIFEST.MF": manifest, "later.txt": "later\n" }));
    expect(found.graph.integrity_contradictions).toEqual([]);
    expect(complaintsOf(found)).toEqual([expect.stringMatching(/^manifest_conflict META-INF\/.*\.SF$/)]);
  });
});

test("a manifest without a signature declares digests and claims nothing of other members", async () => {
  const manifest = `Manifest-Version: 1.0\n\nName: a.txt\nSHA1-Digest: ${digest("a", "sha1")}\nMD5-Digest: ${digest("b", "md5")}\n\nName: c.txt\nSHA3-Digest: AAAA\n`;
  const found = await recorded(buildZip([{ name: "META-INF/MANIFEST.MF", content: manifest }, { name: "a.txt", content: "a" }, { name: "c.txt", content: "c" }, { name: "d.txt", content: "d" }]));
  expect(complaintsOf(found)).toEqual(["digest_mismatch a.txt", "contradiction a.txt by the JAR manifest"]);
  expect(found.manifests).toMatchObject([{ members: 1, broken: 1, unchecked: 1, extra: 0 }]);
});

test("sections keep their bytes with any line ends and broken lines", () => {
  const text = "Manifest-Version: 1.0\r\n\r\nName: a-long-na\r\n me.txt\r\nX: 1\r\n\r\nName: b\nY: 2\n\nName: c\rZ: 3";
  const sections = attributeSections(Buffer.from(text));
  expect(sections.map(({ attributes }) => Object.fromEntries(attributes))).toEqual([
    { "manifest-version": "1.0" },
    { name: "a-long-name.txt", x: "1" },
    { name: "b", y: "2" },
    { name: "c", z: "3" },
  ]);
  expect(Buffer.concat(sections.map(({ bytes }) => bytes)).toString()).toBe(text);
});

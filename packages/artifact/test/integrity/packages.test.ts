import { createHash } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { csvRows } from "../../src/integrity/wheel-record.js";
import { xmlElements } from "../../src/integrity/xml-elements.js";
import { buildZip, type ZipMember } from "../zip/build-zip.js";
import { complaintsOf, recorded, refusedAt, verified, Workshop } from "./judged.js";

vi.setConfig({ testTimeout: 60_000 });

const hash = (content: string | Uint8Array, encoding: "hex" | "base64" | "base64url" = "base64", algorithm = "sha256") => createHash(algorithm).update(content).digest(encoding);
const zip = (members: { readonly [name: string]: string | Uint8Array }): Buffer => buildZip(Object.entries(members).map(([name, content]): ZipMember => ({ name, content })));

const record = "sample-1.0.dist-info/RECORD";

function wheel(changes: { readonly [name: string]: string } = {}): Buffer {
  const files = { "sample/__init__.py": "print('hi')\n", "sample/data, with comma.txt": "x" };
  const rows = Object.entries(files).map(([name, content]) => `${name.includes(",") ? `"${name}"` : name},sha256=${hash(content, "base64url")},${String(content.length)}`);
  return zip({ ...files, [record]: [...rows, `${record},,`, ""].join("\r\n"), ...changes });
}

test("a wheel's RECORD holds, and names what was changed, left out and added", async () => {
  expect(complaintsOf(await recorded(wheel()))).toEqual([]);
  expect((await verified(wheel())).manifests).toMatchObject([{ kind: "wheel-record", verdict: "holds", members: 2, unchecked: 0 }]);
  expect(complaintsOf(await recorded(wheel({ "sample/__init__.py": "print('ho')\n", "sample/extra.py": "" })))).toEqual([
    "digest_mismatch sample/__init__.py",
    "manifest_extra_member sample/extra.py",
    "contradiction sample/__init__.py by the wheel's RECORD",
  ]);
  expect(await refusedAt(wheel({ "sample/__init__.py": "print('ho')\n" }))).toBe("sample/__init__.py");
});

test("an installed distribution is checked where it lies, other distributions beside it", async () => {
  const workshop = new Workshop();
  try {
    workshop.write("lib/sample/__init__.py", "changed\n");
    workshop.write("lib/other/file.py", "");
    workshop.write("bin/tool", "tool");
    workshop.write(`lib/${record}`, `sample/__init__.py,sha256=${hash("print('hi')\n", "base64url")},12\nsample/__pycache__/x.pyc,,\n../bin/tool,sha256=${hash("tool", "base64url")},4\n../../../etc/passwd,sha256=${hash("", "base64url")},0\nsample/gone.py,sha256=${hash("", "base64url")},0\n`);
    workshop.write("lib/sample-1.0.dist-info/INSTALLER", "pip\n");
    const found = await recorded(workshop.directory);
    expect(complaintsOf(found)).toEqual([
      "digest_mismatch lib/sample/__init__.py",
      "size_mismatch lib/sample/__init__.py",
      `manifest_missing_member lib/sample/gone.py`,
      "contradiction lib/sample/__init__.py by the wheel's RECORD",
    ]);
    // The cache without a digest, and two that lie outside of the library.
    expect(found.manifests).toMatchObject([{ members: 2, unchecked: 3, broken: 1, missing: 1 }]);
  } finally {
    workshop.remove();
  }
});

function blockMap(files: { readonly [name: string]: Buffer }): string {
  const entries = Object.entries(files).map(([name, content]) => {
    const blocks: string[] = [];
    for (let at = 0; at < content.byteLength; at += 65_536) blocks.push(`<Block Hash="${hash(content.subarray(at, at + 65_536))}" Size="9"/>`);
    return `<File Name="${name.replaceAll("/", "\\")}" Size="${String(content.byteLength)}" LfhSize="30">${blocks.join("")}</File>`;
  });
  return `<?xml version="1.0"?><b:BlockMap xmlns:b="http://schemas.microsoft.com/appx/2010/blockmap" HashMethod="http://www.w3.org/2001/04/xmlenc#sha256">${entries.join("")}</b:BlockMap>`;
}

test("an APPX block map is checked block by block, names being escaped in the archive", async () => {
  const files = { "App/a file & more.bin": Buffer.alloc(150_000, 7), "AppxManifest.xml": Buffer.from("<Package/>"), "empty.txt": Buffer.alloc(0) };
  const map = blockMap(files).replace("a file & more", "a file &amp; more");
  const packed = (big: Buffer, more: { readonly [name: string]: string } = {}) =>
    buildZip([
      { name: "App/a%20file%20%26%20more.bin", content: big, data: deflateRawSync(big), method: 8 },
      { name: "AppxManifest.xml", content: files["AppxManifest.xml"] },
      { name: "empty.txt", content: "" },
      { name: "AppxBlockMap.xml", content: map },
      { name: "[Content_Types].xml", content: "<Types/>" },
      ...Object.entries(more).map(([name, content]) => ({ name, content })),
    ]);
  const whole = await recorded(packed(files["App/a file & more.bin"]));
  expect([complaintsOf(whole), whole.manifests[0]?.verdict]).toEqual([[], "holds"]);
  const changed = Buffer.from(files["App/a file & more.bin"]);
  changed[70_000] = 8;
  expect(complaintsOf(await recorded(packed(changed, { "added.dll": "x" })))).toEqual([
    "digest_mismatch App/a%20file%20%26%20more.bin",
    "manifest_extra_member added.dll",
    "contradiction App/a%20file%20%26%20more.bin by AppxBlockMap.xml",
  ]);
});

test("digests of an Open Packaging signature are checked, transformed references only counted", async () => {
  const signature = `<Signature xmlns="http://www.w3.org/2000/09/xmldsig#"><SignedInfo><Reference URI="#idPackageObject"><DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><DigestValue>AAAA</DigestValue></Reference></SignedInfo>
<Object><Manifest><Reference URI="/extension/main.js?ContentType=text/javascript"><DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><DigestValue>${hash("code")}</DigestValue></Reference>
<Reference URI="/_rels/.rels?ContentType=x"><Transforms><Transform Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315"/></Transforms><DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><DigestValue>${hash("")}</DigestValue></Reference></Manifest></Object></Signature>`;
  const vsix = (code: string) => zip({ "extension/main.js": code, "_rels/.rels": "<x/>", "package/services/digital-signature/xml-signature/abc.psdsxs": signature });
  const found = await recorded(vsix("code"));
  expect([complaintsOf(found), found.manifests]).toMatchObject([[], [{ kind: "opc-signature", members: 1, unchecked: 1, verdict: "holds" }]]);
  expect(complaintsOf(await recorded(vsix("c0de")))).toEqual(["digest_mismatch extension/main.js", "contradiction extension/main.js by an Open Packaging digital signature"]);
});

test("package files that an npm lockfile names beside itself are checked", async () => {
  const workshop = new Workshop();
  try {
    const tarball = Buffer.from("not really a package");
    workshop.write("app/vendor/good-1.0.0.tgz", tarball);
    workshop.write("app/vendor/bad-1.0.0.tgz", "other bytes");
    const sri = (content: Uint8Array) => `sha1-${hash(content, "base64", "sha1")} sha512-${hash(content, "base64", "sha512")}`;
    const packages = {
      "": { version: "1.0.0" },
      "node_modules/good": { resolved: "file:vendor/good-1.0.0.tgz", integrity: sri(tarball) },
      "node_modules/bad": { resolved: "file:vendor/bad-1.0.0.tgz", integrity: sri(tarball) },
      "node_modules/far": { resolved: "https://far.invalid/far.tgz", integrity: sri(tarball) },
      "node_modules/up": { resolved: "file:../outside.tgz", integrity: sri(tarball) },
      __proto__: {},
    };
    workshop.write("app/package-lock.json", JSON.stringify({ lockfileVersion: 3, packages }));
    const found = await recorded(workshop.directory);
    expect(complaintsOf(found)).toEqual(["digest_mismatch app/vendor/bad-1.0.0.tgz", "contradiction app/vendor/bad-1.0.0.tgz by the npm lockfile"]);
    expect(found.manifests).toMatchObject([{ kind: "npm-lockfile", members: 2, broken: 1, unchecked: 2 }]);
  } finally {
    workshop.remove();
  }
});

test("lists that are no lists, endless or damaged declare nothing and break nothing", async () => {
  const names = ["META-INF/MANIFEST.MF", "META-INF/X.SF", "META-INF/X.RSA", record, "_CodeSignature/CodeResources", "AppxBlockMap.xml", "AppxSignature.p7x", "_xmlsignatures/sig1.xml", "package-lock.json", "Contents/Info.plist"];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 60 }), { minLength: names.length, maxLength: names.length }), async (contents) => {
      const found = await recorded(buildZip(names.map((name, index) => ({ name, content: contents[index] ?? "" }))));
      expect(found.graph.integrity_contradictions).toEqual([]);
    }),
    { numRuns: 40 },
  );
});

test("flipped bytes of real lists never crash, and never leave a changed member unnoticed", async () => {
  const members = { "sample/__init__.py": "print('hi')\n", [record]: `sample/__init__.py,sha256=${hash("print('hi')\n", "base64url")},12\n${record},,\n` };
  await fc.assert(
    fc.asyncProperty(fc.nat(11), async (at) => {
      const content = Buffer.from(members["sample/__init__.py"]);
      content[at] = (content[at] ?? 0) ^ 4;
      expect(await refusedAt(zip({ ...members, "sample/__init__.py": content }))).toBe("sample/__init__.py");
    }),
    { numRuns: 12 },
  );
});

test("rows with quotes, line ends and a broken end", () => {
  expect([...csvRows('a,b,c\r\n"x, ""y""",z,\n,,\nlast')]).toEqual([["a", "b", "c"], ['x, "y"', "z", ""], ["", "", ""], ["last"]]);
  expect([...csvRows('good,1,2\n"never ends')]).toEqual([["good", "1", "2"]]);
  const endless = `"${'""'.repeat(200_000)}`;
  expect([...csvRows(endless)]).toEqual([]);
});

test("mark-up is read without prefixes, entities decoded, damage passed over", () => {
  const read = [...xmlElements(Buffer.from(`<?xml version="1.0"?><!-- <no/> --><a:b x='1' y:z="&lt;&#65;">text &amp; more<c/></a:b><d `))];
  expect(read.map((one) => ("end" in one ? `/${one.end}` : `${one.name} ${JSON.stringify(Object.fromEntries(one.attributes))} ${one.text}`))).toEqual([
    'b {"x":"1","z":"<A"} text & more',
    "c {} ",
    "/b",
  ]);
  expect([...xmlElements(Buffer.from('<a b="'.repeat(50_000)))]).toEqual([]);
});

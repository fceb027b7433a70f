import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { getRawHeader } from "@electron/asar";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { discardExtraction, extract, openArtifact } from "../../src/index.js";
import { packAsar } from "../asar/pack-asar.js";
import { buildZip, type ZipMember } from "../zip/build-zip.js";
import { complaintsOf, flipped, isInstalled, recorded, refusedAt, verified, Workshop } from "./judged.js";
import { windowsProgram } from "./electron-program.js";

vi.setConfig({ testTimeout: 60_000 });

const workshop = new Workshop();
afterAll(() => {
  workshop.remove();
});

const hash = (algorithm: string, content: string | Uint8Array) => createHash(algorithm).update(content).digest("base64");

/** A list of sealed files as Apple's signer writes it; digests of the files as they are now. */
function codeResources(files: { readonly [name: string]: string }, more = "", rules = ""): string {
  const sealed = Object.entries(files);
  const older = sealed.map(([name, content]) => `<key>${name}</key><data>${hash("sha1", content)}</data>`);
  const newer = sealed.map(([name, content]) => `<key>${name}</key><dict><key>hash</key><data>${hash("sha1", content)}</data><key>hash2</key><data>${hash("sha256", content)}</data></dict>`);
  return `<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict><key>files</key><dict>${older.join("")}</dict><key>files2</key><dict>${newer.join("")}${more}</dict>
<key>rules2</key><dict><key>^.*</key><true/><key>^Info\\.plist$</key><dict><key>omit</key><true/><key>weight</key><real>20</real></dict>${rules}</dict></dict></plist>`;
}

const files = { "Resources/icon.icns": "icon", "Resources/en.lproj/text.strings": "text", "Resources/maybe.txt": "maybe" };
const contents = "Sample.app/Contents";
const more = '<key>Frameworks/Inner.framework</key><dict><key>cdhash</key><data>AAAA</data><key>requirement</key><string>x</string></dict><key>Resources/link</key><dict><key>symlink</key><string>icon.icns</string></dict><key>Resources/absent.txt</key><dict><key>hash2</key><data>AAAA</data><key>optional</key><true/></dict>';

describe("sealed files of a bundle", () => {
  beforeEach(() => {
    rmSync(workshop.path("Sample.app"), { recursive: true, force: true });
    for (const [name, content] of Object.entries(files)) workshop.write(`${contents}/${name}`, content);
    symlinkSync("icon.icns", workshop.path(`${contents}/Resources/link`));
    workshop.write(`${contents}/Info.plist`, "<plist><dict><key>CFBundleExecutable</key><string>Sample</string></dict></plist>");
    workshop.write(`${contents}/MacOS/Sample`, "program");
    workshop.write(`${contents}/Frameworks/Inner.framework/Inner`, "inner");
    workshop.write(`${contents}/_CodeSignature/CodeResources`, codeResources(files, more));
  });

  test("hold in a directory; nested code and optional files are accounted for", async () => {
    const found = await recorded(workshop.path("Sample.app"));
    expect([complaintsOf(found), found.manifests]).toMatchObject([[], [{ kind: "code-resources", logical_path: "Contents/_CodeSignature/CodeResources", verdict: "holds", unchecked: 1, missing: 0 }]]);
  });

  test("a changed, an added and a removed file and a link that leads elsewhere are named", async () => {
    writeFileSync(workshop.path(`${contents}/Resources/icon.icns`), "Icon");
    workshop.write(`${contents}/Resources/added.js`, "added");
    rmSync(workshop.path(`${contents}/Resources/maybe.txt`));
    rmSync(workshop.path(`${contents}/Resources/link`));
    symlinkSync("/etc/passwd", workshop.path(`${contents}/Resources/link`));
    const found = await recorded(workshop.path("Sample.app"));
    expect([...complaintsOf(found)].sort()).toEqual([
      "contradiction Contents/Resources/icon.icns by the bundle's CodeResources",
      "digest_mismatch Contents/Resources/icon.icns",
      "digest_mismatch Contents/Resources/icon.icns",
      "manifest_conflict Contents/Resources/link",
      "manifest_extra_member Contents/Resources/added.js",
      "manifest_missing_member Contents/Resources/maybe.txt",
    ]);
    expect(await refusedAt(workshop.path("Sample.app"))).toBe("Contents/Resources/icon.icns");
  });

  test("are checked in an archive too, where the list comes after them", async () => {
    const members = (icon: string): ZipMember[] => [
      ...Object.entries({ ...files, "Resources/icon.icns": icon }).map(([name, content]) => ({ name: `Payload/Sample.app/Contents/${name}`, content })),
      { name: "Payload/Sample.app/Contents/_CodeSignature/CodeResources", content: codeResources(files) },
    ];
    expect(complaintsOf(await recorded(buildZip(members("icon"))))).toEqual([]);
    expect(await refusedAt(buildZip(members("iron")))).toBe("Payload/Sample.app/Contents/Resources/icon.icns");
  });

  test.skipIf(!isInstalled("tar"))("are compared in an archive that is read once, whichever comes first; nothing of what they disprove is extracted", async () => {
    const tar = (...names: readonly string[]) => {
      workshop.run("tar", "-czf", "sample.tar.gz", ...names);
      return workshop.path("sample.tar.gz");
    };
    const list = `${contents}/_CodeSignature`;
    const sealed = `${contents}/Resources`;
    expect(complaintsOf(await recorded(tar(sealed, list)))).toEqual([]);
    writeFileSync(workshop.path(`${contents}/Resources/icon.icns`), "Icon");
    for (const file of [tar(sealed, list), tar(list, sealed)]) {
      const path = `sample.tar!/${contents}/Resources/icon.icns`;
      expect(complaintsOf(await recorded(file))).toEqual([`digest_mismatch ${path}`, `contradiction ${path} by the bundle's CodeResources`]);
      expect(await refusedAt(file)).toBe(path);
      const artifact = openArtifact(file);
      const extracted = await extract(artifact, { integrityPolicy: "record-and-continue" });
      artifact.close();
      expect(extracted.skipped.filter(({ reason }) => reason === "not_verified").map(({ logical_path }) => logical_path)).toEqual([path]);
      expect(existsSync(join(extracted.output_root, path.slice("sample.tar!/".length)))).toBe(false);
      expect(extracted.artifacts.some(({ relative_path }) => relative_path.endsWith("icon.icns"))).toBe(false);
      await discardExtraction(extracted);
    }
  });

  test.skipIf(!isInstalled("xorriso"))("are checked in a disk image before its members are judged (skipped without xorriso)", async () => {
    const image = () => {
      rmSync(workshop.path("sample.iso"), { force: true });
      workshop.run("xorriso", "-as", "mkisofs", "-quiet", "-R", "-o", "sample.iso", "Sample.app");
      return workshop.path("sample.iso");
    };
    const whole = await recorded(image());
    expect(whole.manifests).toMatchObject([{ kind: "code-resources", verdict: "holds" }]);
    writeFileSync(workshop.path(`${contents}/Resources/icon.icns`), "Icon");
    expect(await refusedAt(image())).toBe("Contents/Resources/icon.icns");
  });

  test("rules of the bundle's own that leave files out keep added files from being called so", async () => {
    workshop.write(`${contents}/Resources/added.js`, "added");
    workshop.write(`${contents}/_CodeSignature/CodeResources`, codeResources(files, more, "<key>^Resources/.*\\.js$</key><dict><key>omit</key><true/></dict>"));
    expect(complaintsOf(await recorded(workshop.path("Sample.app")))).toEqual([]);
  });
});

describe("archives of Electron applications", () => {
  let archive: Buffer;
  let header = "";

  beforeAll(() => {
    workshop.write("source/main.js", "console.log('hello');\n");
    workshop.write("source/package.json", '{"main":"main.js"}');
    packAsar(workshop.path("source"), workshop.path("app.asar"));
    archive = readFileSync(workshop.path("app.asar"));
    header = createHash("sha256").update(getRawHeader(workshop.path("app.asar")).headerString).digest("hex");
  });

  const plist = (value: string) => `<plist><dict><key>ElectronAsarIntegrity</key><dict><key>Resources/app.asar</key><dict><key>algorithm</key><string>SHA256</string><key>hash</key><string>${value}</string></dict></dict></dict></plist>`;
  const wire = (validation: string) => Buffer.concat([Buffer.from("dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX"), Buffer.from([1, 8]), Buffer.from(`1010${validation}101`)]);

  function mac(validation: string, declared: string, asar: Uint8Array): string {
    rmSync(workshop.path("Electron.app"), { recursive: true, force: true });
    workshop.write("Electron.app/Contents/Info.plist", plist(declared));
    workshop.write("Electron.app/Contents/Resources/app.asar", asar);
    const machO = Buffer.alloc(4096);
    for (const [index, word] of [0xfeedfacf, 0x0100000c, 0, 2, 0, 0, 0, 0].entries()) machO.writeUInt32LE(word, index * 4);
    workshop.write("Electron.app/Contents/Frameworks/Electron Framework.framework/Electron Framework", Buffer.concat([machO, wire(validation)]));
    return workshop.path("Electron.app");
  }

  test("the header's declared hash is checked before the archive is opened", async () => {
    expect(complaintsOf(await recorded(mac("1", header, archive)))).toEqual([]);
    const changed = mac("1", "0".repeat(64), archive);
    const found = await recorded(changed);
    expect(complaintsOf(found)).toEqual(["digest_mismatch Contents/Resources/app.asar", "contradiction Contents/Resources/app.asar by ElectronAsarIntegrity"]);
    expect(found.graph.occurrences.some(({ logical_path }) => logical_path.includes("!/"))).toBe(false);
    expect(await refusedAt(changed)).toBe("Contents/Resources/app.asar");
  });

  test.each([
    ["1", true, true, "would_load"],
    ["1", false, true, "would_refuse"],
    ["1", true, false, "would_refuse"],
    ["0", false, true, "not_enforced"],
    ["r", true, true, "not_enforced"],
  ])("fuse %s, header as declared %s, files as declared %s: %s", async (fuse, headerHolds, filesHold, verdict) => {
    const asar = filesHold ? archive : flipped(archive, archive.byteLength - 3);
    const found = await verified(mac(fuse, headerHolds ? header : "0".repeat(64), asar));
    expect(found.electron).toMatchObject([{ logical_path: "Contents/Resources/app.asar", program: "Contents/Frameworks/Electron Framework.framework/Electron Framework", verdict }]);
    expect(found.electron[0]?.fuses[4]?.name).toBe("EnableEmbeddedAsarIntegrityValidation");
    expect(found.verdict).toBe(headerHolds && filesHold ? "holds" : "broken");
  });

  test("an archive that no program declares is refused where the fuse is on, and unknown where no program is", async () => {
    const directory = mac("1", header, archive);
    workshop.write("Electron.app/Contents/Resources/other.asar", archive);
    const found = await verified(directory);
    expect(found.electron.map(({ logical_path, verdict }) => [logical_path, verdict])).toEqual(expect.arrayContaining([["Contents/Resources/other.asar", "would_refuse"]]));
    expect((await verified(workshop.path("app.asar"))).electron).toMatchObject([{ verdict: "unknown", program: null }]);
  });

  test("the resource of a Windows program declares it as well, in a directory and in an archive", async () => {
    const program = (value: string) => Buffer.concat([windowsProgram(JSON.stringify([{ file: "resources\\app.asar", alg: "SHA256", value }])), wire("1")]);
    const members = (value: string) => [{ name: "Sample.exe", content: program(value) }, { name: "resources/app.asar", content: archive }];
    for (const { name, content } of members(header)) workshop.write(`windows/${name}`, content);
    const whole = await verified(workshop.path("windows"));
    expect([complaintsOf(whole.inventory), whole.electron[0]?.verdict]).toEqual([[], "would_load"]);
    expect(whole.manifests).toMatchObject([{ kind: "asar-integrity", logical_path: "Sample.exe", verdict: "holds" }]);
    expect(await refusedAt(buildZip(members("1".repeat(64))))).toBe("resources/app.asar");
    const packed = await verified(buildZip(members("1".repeat(64))));
    expect(packed.electron).toMatchObject([{ program: "Sample.exe", verdict: "would_refuse" }]);
  });
});

describe.skipIf(!isInstalled("clang-19", "ld64.lld-19"))("signatures of programs in an artifact (skipped without clang and lld of LLVM 19)", () => {
  test("are verified wherever the program lies", async () => {
    workshop.write("main.c", "int table[9000] = {1}; int main(void) { return table[3]; }\n");
    workshop.run("clang-19", "--target=arm64-apple-macos11", "-c", "main.c", "-o", "main.o");
    workshop.run("ld64.lld-19", "-arch", "arm64", "-platform_version", "macos", "11.0", "11.0", "-adhoc_codesign", "-e", "_main", "-undefined", "dynamic_lookup", "main.o", "-o", "program");
    const program = readFileSync(workshop.path("program"));
    const packed = (bytes: Uint8Array) => buildZip([{ name: "bin/program", content: bytes, method: 8 }]);
    expect((await verified(packed(program))).executables).toMatchObject([{ logical_path: "bin/program", verdict: "holds" }]);
    const broken = await verified(packed(flipped(program, 20_000)));
    expect([broken.verdict, broken.executables[0]?.problems]).toMatchObject(["broken", [expect.stringMatching(/^arm64: 1 of \d+ pages/)]]);
  });
});

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { sha256Hex } from "@rea/core";
import { appleApp } from "@rea/testkit";
import { afterAll, describe, expect, test } from "vitest";
import { appleDocumentProviders } from "../src/apple-documents/documents-provider.js";
import { detectTarget } from "../src/target/detect-target.js";
import { call, failure, result, runtimeWith } from "./support.js";

const place = mkdtempSync(join(tmpdir(), "rea-apple-documents-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));
const service = () => runtimeWith({ auxiliary: appleDocumentProviders(), detect: detectTarget });

const xml = '<?xml version="1.0"?><plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.a</string></dict></plist>';
const value = { CFBundleIdentifier: "com.example.a" };

function fileAt(path: string, content: string | Uint8Array): string {
  const file = join(place, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, content);
  return file;
}

describe("inspect_plist", () => {
  fileAt("A.app/Contents/Info.plist", xml);
  fileAt("Phone.app/Info.plist", xml);
  fileAt("outside.plist", xml);
  symlinkSync(join(place, "outside.plist"), join(place, "A.app", "Contents", "leaving.plist"));
  symlinkSync("Info.plist", join(place, "A.app", "Contents", "staying.plist"));
  const app = join(place, "A.app");

  test("reads a file itself, and the Info.plist of a bundle of either layout", async () => {
    const runtime = service();
    expect(await result(runtime, "inspect_plist", { path: join(place, "outside.plist") })).toMatchObject({ document: { logical_path: "." }, value });
    expect(await result(runtime, "inspect_plist", { path: app })).toMatchObject({ document: { logical_path: "Contents/Info.plist" }, value });
    expect(await result(runtime, "inspect_plist", { path: join(place, "Phone.app") })).toMatchObject({ document: { logical_path: "Info.plist" }, value });
    await runtime.close();
  });

  test("finds it in a container, and in a container of a directory", async () => {
    const runtime = service();
    const packed = gzipSync(tarOf("Payload/A.app/Info.plist", Buffer.from(xml)));
    const archive = fileAt("packed/app.tar.gz", packed);
    const found = await result(runtime, "inspect_plist", { path: archive });
    expect(found).toMatchObject({ document: { logical_path: "app.tar!/Payload/A.app/Info.plist", sha256: sha256Hex(Buffer.from(xml)) }, value });
    const inner = "app.tar.gz!/app.tar!/Payload/A.app/Info.plist";
    expect(await result(runtime, "inspect_plist", { path: join(place, "packed"), relative_path: inner })).toMatchObject({ document: { logical_path: inner }, value });
    await runtime.close();
  });

  test("makes the record about the file examined, wherever it was found", async () => {
    const runtime = service();
    const reply = await call(runtime, "inspect_plist", { path: app });
    if (!reply.ok || !("evidence" in reply.value)) throw new Error("no record");
    const { evidence } = reply.value;
    expect(evidence.subject).toMatchObject({ name: "Info.plist", format: "plist", digest: { sha256: sha256Hex(Buffer.from(xml)) } });
    expect(evidence.parameters).toEqual({ path: { sha256: sha256Hex(Buffer.from(xml)) }, relative_path: "Contents/Info.plist" });
    await runtime.close();
  });

  test("refuses to climb, to follow a link that leaves, and what is no property list", async () => {
    const runtime = service();
    const at = (relative_path: string) => failure(runtime, "inspect_plist", { path: app, relative_path });
    expect(await at("../outside.plist")).toMatchObject({ code: "invalid_request" });
    expect(await at("/etc/passwd")).toMatchObject({ code: "invalid_request" });
    expect(await at("Contents/leaving.plist")).toMatchObject({ code: "target_unavailable", details: { reason: "target_not_allowed" } });
    expect(await at("Contents/none.plist")).toMatchObject({ code: "target_unavailable", details: { reason: "target_not_found" } });
    expect(await at("Contents")).toMatchObject({ code: "target_unavailable", details: { reason: "not_regular" } });
    expect(await result(runtime, "inspect_plist", { path: app, relative_path: "Contents/staying.plist" })).toMatchObject({ value });
    expect(await failure(runtime, "inspect_plist", { path: fileAt("text.txt", "hello world") })).toMatchObject({ code: "artifact_operation_failed" });
    await runtime.close();
  });

  test("answers with a part by key path, and says when nothing is there", async () => {
    const runtime = service();
    const at = (root: string) => result(runtime, "inspect_plist", { path: app, root });
    expect(await at("CFBundleIdentifier")).toMatchObject({ found: true, root_type: "string", value: "com.example.a" });
    expect(await at("nothing.0")).toMatchObject({ found: false, root_type: null, value: null });
    await runtime.close();
  });

  test("reads the list that a program carries in itself (skipped without clang and lld)", async (context) => {
    const source = fileAt("tool.c", "int main(void) { return 0; }\n");
    const list = fileAt("tool.plist", xml);
    const program = join(place, "tool");
    const object = join(place, "tool.o");
    const compile = ["-target", "arm64-apple-macos11", "-c", "-o", object, source];
    const link = ["-arch", "arm64", "-platform_version", "macos", "11", "11", "-e", "_main", "-sectcreate", "__TEXT", "__info_plist", list, "-o", program, object];
    if (spawnSync("clang-19", compile).error !== undefined || spawnSync("ld64.lld-19", link).error !== undefined) return context.skip("clang-19 and ld64.lld-19 are not installed");
    const runtime = service();
    expect(await result(runtime, "inspect_plist", { path: program })).toMatchObject({ document: { logical_path: "__TEXT,__info_plist" }, value });
    await runtime.close();
  });

  test("reads the lists of a real application (skipped when the package cannot be had)", async (context) => {
    const real = await appleApp();
    if (real.state === "unavailable") return context.skip(real.reason);
    const runtime = service();
    expect(await result(runtime, "inspect_plist", { path: real.path })).toMatchObject({
      format: "xml",
      value: { CFBundleExecutable: "terminal-notifier", NSMainNibFile: "MainMenu" },
      anomalies: { total: 0 },
    });
    const strings = { path: real.path, relative_path: "Contents/Resources/en.lproj/InfoPlist.strings" };
    expect(await result(runtime, "inspect_plist", strings)).toMatchObject({ format: "openstep", encoding: "utf-16le", value: {} });
    await runtime.close();
  });
});

describe("inspect_keyed_archive", () => {
  const nib = "Contents/Resources/en.lproj/MainMenu.nib";

  test("pages a real archive, from the whole and from one object (skipped when the package cannot be had)", async (context) => {
    const real = await appleApp();
    if (real.state === "unavailable") return context.skip(real.reason);
    const runtime = service();
    const whole = await result(runtime, "inspect_keyed_archive", { path: real.path, relative_path: nib, limit: 500 });
    expect(whole).toMatchObject({ archiver: "NSKeyedArchiver", object_count: 739, anomalies: { total: 0 }, objects: { total: 739, next_offset: 500 } });
    expect(whole.classes.items).toContainEqual({ class: "NSNibControlConnector", count: 83 });
    expect(whole.objects.items[1]).toMatchObject({ index: 1, kind: "object", class: "NSIBObjectData", fields: { NSRoot: { uid: 2 } } });
    const part = await result(runtime, "inspect_keyed_archive", { path: real.path, relative_path: nib, root: 2 });
    expect(part.objects.items[0]).toMatchObject({ index: 2, class: "NSCustomObject" });
    expect(part.objects.total).toBeLessThan(739);
    const only = await result(runtime, "inspect_keyed_archive", { path: real.path });
    expect(only.document.logical_path).toBe(nib);
    expect(await failure(runtime, "inspect_keyed_archive", { path: real.path, root: 739 })).toMatchObject({ code: "invalid_request" });
    await runtime.close();
  });

  test("names the candidates when there are several", async () => {
    const archive = "<plist><dict><key>$archiver</key><string>A</string><key>$objects</key><array/></dict></plist>";
    fileAt("several/a.data", archive);
    fileAt("several/b.data", archive);
    const runtime = service();
    const refused = await failure(runtime, "inspect_keyed_archive", { path: join(place, "several") });
    expect(refused).toMatchObject({ code: "invalid_request", details: { issues: [{ path: "relative_path", expected: "a.data, b.data" }] } });
    await runtime.close();
  });
});

/** A tar archive of one file. */
function tarOf(name: string, content: Uint8Array): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write("0000644\0", 100);
  header.write(`${content.byteLength.toString(8).padStart(11, "0")}\0`, 124);
  header.write("00000000000\0", 136);
  header.write("        ", 148);
  header.write("0ustar\u000000", 156, "latin1");
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return Buffer.concat([header, content, Buffer.alloc((512 - (content.byteLength % 512)) % 512), Buffer.alloc(1024)]);
}

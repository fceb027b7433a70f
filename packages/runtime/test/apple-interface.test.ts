import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sha256Hex } from "@rea/core";
import { appleApp, car, celm, payScene, rawd } from "@rea/testkit";
import { afterAll, describe, expect, test } from "vitest";
import { appleDocumentProviders } from "../src/apple-documents/documents-provider.js";
import { detectTarget } from "../src/target/detect-target.js";
import { call, failure, result, runtimeWith } from "./support.js";

const place = mkdtempSync(join(tmpdir(), "rea-apple-interface-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));
const service = () => runtimeWith({ auxiliary: appleDocumentProviders(), detect: detectTarget });

const list = `<plist><dict><key>UIStoryboardDesignatedEntryPointIdentifier</key><string>Pay</string>
<key>UIViewControllerIdentifiersToNibNames</key><dict><key>Pay</key><string>Pay</string><key>Receipt</key><string>Receipt</string></dict></dict></plist>`;

function phoneApp(): string {
  const app = join(place, "Phone.app");
  const storyboard = join(app, "Base.lproj", "Main.storyboardc");
  mkdirSync(join(storyboard, "Pay.nib"), { recursive: true });
  writeFileSync(join(storyboard, "Info.plist"), list);
  writeFileSync(join(storyboard, "Pay.nib", "runtime.nib"), payScene());
  writeFileSync(join(app, "Old.nib"), "\u0004\u000bstreamtyped");
  writeFileSync(join(app, "unrelated.txt"), "text");
  return app;
}

describe("decode_interface_builder", () => {
  const app = phoneApp();
  const nib = "Base.lproj/Main.storyboardc/Pay.nib/runtime.nib";

  test("finds nibs and storyboards of a bundle and says what it could not decode", async () => {
    const runtime = service();
    const found = await result(runtime, "decode_interface_builder", { path: app });
    expect(found.documents).toMatchObject([{ logical_path: nib, encoding: "nib-archive", framework: "uikit", storyboard: "Base.lproj/Main.storyboardc" }]);
    expect(found.storyboards).toMatchObject([
      { entry_point: "Pay", scenes: [{ identifier: "Pay", document: nib }, { identifier: "Receipt", document: null }] },
    ]);
    expect(found.actions.items).toEqual([
      { document: nib, source: `${nib}#8`, source_class: "UIButton", destination: `${nib}#4`, destination_class: "UIProxyObject", selector: "pay:", events: ["touch_up_inside"] },
    ]);
    expect(found.outlets.items).toMatchObject([{ name: "payButton", destination: `${nib}#8`, collection: false }]);
    expect(found.segues.items).toMatchObject([{ identifier: "toReceipt", destination_scene: "Receipt" }]);
    expect(found.unresolved_archives.items).toEqual([{ logical_path: "Old.nib", reason: "typed_stream" }]);
    expect(found.coverage).toEqual({ state: "complete", omissions: [] });
    await runtime.close();
  });

  test("makes the record about the whole that was walked", async () => {
    const runtime = service();
    const copy = join(place, "Copy.app");
    cpSync(app, copy, { recursive: true });
    const ids = [];
    for (const path of [app, copy]) {
      const reply = await call(runtime, "decode_interface_builder", { path });
      if (!reply.ok || !("evidence_id" in reply.value)) throw new Error("no record");
      ids.push(reply.value.evidence_id);
    }
    expect(ids[0]).toBe(ids[1]);
    await runtime.close();
  });

  test("bounds documents, objects and connections with omissions", async () => {
    const runtime = service();
    const many = join(place, "many");
    mkdirSync(many);
    for (const name of ["a", "b", "c"]) writeFileSync(join(many, `${name}.nib`), payScene());
    const found = await result(runtime, "decode_interface_builder", { path: many, max_documents: 2, max_objects: 3, max_connections: 1 });
    expect(found.objects).toMatchObject({ returned: 3, total: 8, truncated: true });
    expect(found.coverage.omissions.map(({ count }: { count: number }) => count)).toEqual([1, 5, 3]);
    await runtime.close();
  });

  test("takes one nib itself and refuses a file that is none", async () => {
    const runtime = service();
    expect(await result(runtime, "decode_interface_builder", { path: join(place, "many", "a.nib") })).toMatchObject({ documents: [{ logical_path: "." }] });
    writeFileSync(join(place, "bad.nib"), "nothing");
    expect(await failure(runtime, "decode_interface_builder", { path: join(place, "bad.nib") })).toMatchObject({ code: "target_unavailable" });
    await runtime.close();
  });

  test("decodes the nib of a real application (skipped when the package cannot be had)", async (context) => {
    const real = await appleApp();
    if (real.state === "unavailable") return context.skip(real.reason);
    const runtime = service();
    const found = await result(runtime, "decode_interface_builder", { path: real.path });
    expect(found.documents).toMatchObject([{ encoding: "keyed-archive", framework: "appkit", archived_objects: 739, anomalies: { total: 0 } }]);
    const items: readonly { class: string; role: string; custom_class: string; oid: number; label: string; id: string }[] = found.objects.items;
    expect(items.filter(({ role }) => role === "file_owner")).toMatchObject([{ class: "NSCustomObject", custom_class: "NSApplication", oid: 536 }]);
    expect(items.filter((item) => item.class === "NSMenuItem")).toHaveLength(124);
    expect(found.outlets.items).toMatchObject([{ name: "delegate", source_class: "NSApplication", destination_class: "AppDelegate" }]);
    expect(found.actions.total).toBe(83);
    const about = found.actions.items.find(({ selector }: { selector: string }) => selector === "orderFrontStandardAboutPanel:");
    expect(items.find(({ id }) => id === about.source)?.label).toBe("About Terminal Notifier");
    await runtime.close();
  });
});

describe("inspect_asset_catalog", () => {
  const logo = Buffer.from("a picture");
  const catalog = car({
    keyFormat: [12, 15, 17],
    facets: [["Logo", 3]],
    renditions: [
      { key: [2, 1, 3], name: "logo.jpg", width: 8, height: 6, scale: 200, pixelFormat: "JPEG", layout: 1000, payload: rawd(logo) },
      { key: [1, 0, 3], name: "logo.png", width: 4, height: 3, scale: 100, pixelFormat: "ARGB", payload: celm(2, Buffer.from("z")) },
    ],
  });

  test("pages the renditions of the only catalog of a bundle", async () => {
    const runtime = service();
    const app = join(place, "Car.app");
    mkdirSync(app);
    writeFileSync(join(app, "Assets.car"), catalog);
    const found = await result(runtime, "inspect_asset_catalog", { path: app, limit: 1 });
    expect(found).toMatchObject({
      document: { logical_path: "Assets.car", bytes: catalog.byteLength },
      header: { rendition_count: 2, timestamp: "2023-11-14T22:13:20Z" },
      platform: { name: "ios", version: "17.0" },
      names: { items: ["Logo"] },
      anomalies: { total: 0 },
    });
    expect(found.renditions).toMatchObject({
      total: 2,
      next_offset: 1,
      coverage: { state: "complete" },
      items: [{ name: "Logo", file_name: "logo.jpg", type: "data", scale: "2x", idiom: "phone", pixel_size: { width: 8, height: 6 }, encoding: "raw", bytes: logo.byteLength, sha256: sha256Hex(logo) }],
    });
    const rest = await result(runtime, "inspect_asset_catalog", { path: join(app, "Assets.car"), offset: 1 });
    expect(rest.renditions.items).toMatchObject([{ scale: "1x", idiom: "universal", encoding: "zip", bytes: 1 }]);
    expect(await failure(runtime, "inspect_asset_catalog", { path: join(place, "many") })).toMatchObject({ code: "target_unavailable" });
    await runtime.close();
  });
});

describe("trace_native_ui_action", () => {
  test("goes from a nib to the code of a real application, and says where the file ends (skipped when the package cannot be had)", async (context) => {
    const real = await appleApp();
    if (real.state === "unavailable") return context.skip(real.reason);
    const runtime = runtimeWith({ providers: undefined, auxiliary: undefined, detect: undefined });
    await result(runtime, "open_binary", { path: real.path });
    const trace = (kind: string, value: string) => result(runtime, "trace_native_ui_action", { seed: { kind, value }, max_depth: 1 });
    const nib = "Contents/Resources/en.lproj/MainMenu.nib";

    const framework = await trace("action", "About Terminal Notifier");
    expect(framework.edges).toMatchObject([
      { from: `${nib}#33`, relation: "sends", confidence: "observed" },
      { to: `${nib}#2`, relation: "received_by", confidence: "observed" },
      { to: null, relation: "handled_by", confidence: "unknown", reason: "class_not_in_file" },
    ]);

    const delegate = await trace("object_id", `${nib}#9`);
    const launched = `${nib}#9 applicationDidFinishLaunching:`;
    expect(delegate.edges).toContainEqual(expect.objectContaining({ from: `${nib}#2`, to: launched, relation: "sends", label: "delegate", confidence: "inferred" }));
    const method = "-[AppDelegate applicationDidFinishLaunching:] 0x100001963";
    expect(delegate.edges).toContainEqual(expect.objectContaining({ from: launched, to: method, relation: "handled_by", confidence: "derived" }));
    const called = delegate.edges.filter(({ from, relation }: { from: string; relation: string }) => from === "0x100001963" && relation === "calls");
    const names = new Map(delegate.nodes.map(({ id, name }: { id: string; name: string }) => [id, name]));
    expect(called.map(({ to }: { to: string }) => names.get(to))).toEqual(expect.arrayContaining(["_exit", "_NSLog", "_method_exchangeImplementations"]));
    await runtime.close();
  }, 60_000);
});

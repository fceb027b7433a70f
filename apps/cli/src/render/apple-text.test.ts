import { expect, test } from "vitest";
import { styleFor } from "./style.js";
import { toolText } from "./tool-texts.js";

const style = styleFor(false);
const complete = { state: "complete", omissions: [] };
const none = { items: [], returned: 0, total: 0, truncated: false };
const all = (items: readonly unknown[]) => ({ items, returned: items.length, total: items.length, truncated: false });
const document = { logical_path: "Contents/Info.plist", sha256: "a".repeat(64), bytes: 12 };
const textOf = (tool: string, result: unknown) => toolText(tool)?.(result, style);

test("a property list is an outline with its types", () => {
  const value = { name: "a\nb", list: [1, { "x.y": { uid: 3 } }], icon: { data: "aGk=", data_truncated: false, bytes: 2, sha256: "b".repeat(64) } };
  const typed = all([{ key_path: "list.1.x\\.y", type: "uid", offset: 9 }, { key_path: "icon", type: "data", offset: 20 }]);
  const anomalies = all([{ anomaly: "truncated", offset: 255, detail: "It ends." }]);
  const found = { document, format: "binary", encoding: null, object_count: 3, root: "", found: true, root_type: "dictionary", value, typed, anomalies, coverage: complete, limitations: [] };
  expect(textOf("inspect_plist", found)?.split("\n")).toEqual([
    "Contents/Info.plist  binary, 12 bytes",
    "{3}",
    '  name: "a\\nb"',
    "  list: [2]",
    "    0: 1",
    "    1: {1}",
    "      x.y: uid 3",
    `  icon: data 2 bytes aGk= sha256 ${"b".repeat(64)}`,
    "",
    "anomalies (1)",
    "  truncated at 0xff: It ends.",
    "",
  ]);
});

test("archived objects name each other by number", () => {
  const item = { index: 1, kind: "object", class: "Node", class_hierarchy: ["Node"], fields: { next: { uid: 2 }, list: [{ uid: 1 }, "x"] }, value: null };
  const text = { index: 2, kind: "string", class: null, class_hierarchy: [], fields: {}, value: "hello" };
  const objects = { items: [item, text], coverage: complete, offset: 0, limit: 2, total: 9, next_offset: 2, has_more: true };
  const found = { document, format: "binary", archiver: "NSKeyedArchiver", version: "100000", top: all([{ name: "root", reference: 1, value: null }]), object_count: 9, classes: all([{ class: "Node", count: 1 }]), objects, anomalies: none, limitations: [] };
  expect(textOf("inspect_keyed_archive", found)).toContain('  root = #1\n\n#1 Node\n    next: #2\n    list: [#1, "x"]\n#2 string "hello"\n… continue with --offset 2\n');
});

test("an interface document tells who sends what to whom", () => {
  const nib = { ...document, logical_path: "Main.nib", encoding: "nib-archive", version: "1.9", framework: "uikit", storyboard: null, archived_objects: 9, objects: 2, connections: 1, anomalies: none };
  const object = { document: "Main.nib", oid: null, custom_class: null, role: "object", label: null, parent: null };
  const objects = all([{ ...object, id: "Main.nib#1", index: 1, class: "UIButton", label: "Pay" }, { ...object, id: "Main.nib#2", index: 2, class: "UIProxyObject", role: "file_owner" }]);
  const actions = all([{ document: "Main.nib", source: "Main.nib#1", source_class: "UIButton", destination: null, destination_class: null, selector: "pay:", events: ["touch_up_inside"] }]);
  const found = { documents: [nib], storyboards: [], objects, outlets: none, actions, segues: none, other_connections: none, unresolved_archives: all([{ logical_path: "Old.nib", reason: "typed_stream" }]), coverage: complete, limitations: [] };
  const shown = textOf("decode_interface_builder", found);
  expect(shown).toContain('  action  UIButton #1 "Pay" → pay: of the responder chain on touch_up_inside\n');
  expect(shown).toContain("not decoded\n  Old.nib: typed_stream\n");
});

test("an asset catalog is a table of its renditions", () => {
  const header = { core_ui_version: 498, storage_version: 17, timestamp: null, rendition_count: 1, main_version: "", version: "", uuid: "", associated_checksum: "0x0", schema_version: 2, color_space_id: 1, key_semantics: 2 };
  const row = { name: "Logo", file_name: "logo.png", type: "image", scale: "2x", idiom: "phone", appearance: "UIAppearanceDark", pixel_size: { width: 8, height: 6 }, pixel_format: "ARGB", encoding: "lzfse", bytes: 1234, sha256: "c".repeat(64), offset: 0, stored_bytes: 0, uti: null, vector: false, opaque: false, template: false, packed_in: null, color: null, attributes: [], problem: null };
  const renditions = { items: [row], coverage: complete, offset: 0, limit: 1, total: 1, next_offset: null, has_more: false };
  const found = { document, header, platform: null, key_format: [], variables: none, names: none, renditions, anomalies: none, limitations: [] };
  const shown = textOf("inspect_asset_catalog", found) ?? "";
  expect(shown.split("\n")[0]).toBe("Contents/Info.plist  12 bytes · CoreUI 498, 1 renditions");
  expect(shown.replace(/ +/g, " ")).toContain("Logo image 2x phone UIAppearanceDark 8×6 lzfse ARGB 1,234 cccccccccccc logo.png");
});

test("a traced action is one joint a line, with how sure it is", () => {
  const node = { name: null, class: null, document: null, address: null, depth: null };
  const nodes = [
    { ...node, id: "Main.nib#1", kind: "ui_object", class: "NSButton", name: "Pay now" },
    { ...node, id: "Main.nib#2 pay:", kind: "message", name: "pay:" },
    { ...node, id: "0x10", kind: "procedure", name: "main", address: "0x10", depth: 0 },
    { ...node, id: "0x20", kind: "procedure", address: "0x20", depth: 1 },
  ];
  const edge = { label: null, reason: null };
  const edges = [
    { ...edge, from: "Main.nib#1", to: "Main.nib#2 pay:", relation: "sends", basis: "Action.", confidence: "observed" },
    { ...edge, from: "Main.nib#2 pay:", to: null, relation: "handled_by", basis: "No class.", confidence: "unknown", reason: "class_not_in_file" },
    { ...edge, from: "0x10", to: "0x20", relation: "calls", basis: "Call.", confidence: "derived" },
  ];
  const limits = { max_depth: 1, max_operations: 300, operations_used: 4, frontier_total: 2 };
  const found = { seed: { kind: "action", value: "Pay now" }, nodes, edges, handlers: 0, unknown_edges: 1, interface: { state: "available", value: { documents: 1, actions: 1, outlets: 0 } }, frontier: [], failures: [], limits, coverage: complete, limitations: [] };
  expect(textOf("trace_native_ui_action", found)?.split("\n")).toEqual([
    "action Pay now  0 handlers, 1 unknown ends",
    '  NSButton "Pay now" (Main.nib#1) sends pay:  observed: Action.',
    "  pay: handled by unknown (class_not_in_file)  unknown: No class.",
    "",
    "calls",
    "  main 0x10 → 0x20",
    "… 2 procedures were not followed; raise --max-depth",
    "",
  ]);
});

import { pageOf, type DispatchItem, type ObjcClassItem, type OperationPorts, type OperationResult } from "@rea/core";
import { expect, it } from "vitest";
import { uiTraceResult, type UiTrace } from "../src/index.js";
import { traceNativeUiAction } from "../src/enhanced/ui-action/trace-native-ui-action.js";
import { executed, FakeHost, hostOf, notOffered, type FakeProgram } from "./fake-ports.js";

type Documents = OperationResult<"decode_interface_builder">;

const complete = { state: "complete" as const, omissions: [] };
const list = <T>(items: readonly T[]) => ({ items: [...items], returned: items.length, total: items.length, truncated: false });
const nib = "Main.nib";

function object(index: number, more: Partial<Documents["objects"]["items"][number]>): Documents["objects"]["items"][number] {
  return { id: `${nib}#${String(index)}`, document: nib, index, oid: null, class: "NSObject", custom_class: null, role: "object", label: null, parent: null, ...more };
}

function action(selector: string, source: number, destination: number | null): Documents["actions"]["items"][number] {
  const to = destination === null ? null : `${nib}#${String(destination)}`;
  return { document: nib, source: `${nib}#${String(source)}`, source_class: null, destination: to, destination_class: null, selector, events: [] };
}

const documents: Documents = {
  documents: [],
  storyboards: [],
  objects: list([
    object(1, { class: "NSButton", label: "Pay now" }),
    object(2, { class: "NSCustomObject", custom_class: "Desk" }),
    object(3, { class: "NSCustomObject", custom_class: "NSApplication", role: "file_owner" }),
    object(4, { class: "UIProxyObject", role: "file_owner", label: "IBFilesOwner" }),
  ]),
  outlets: list([{ document: nib, source: `${nib}#3`, source_class: "NSApplication", destination: `${nib}#2`, destination_class: "Desk", name: "delegate", collection: false }]),
  actions: list([action("pay:", 1, 2), action("refund:", 1, 2), action("terminate:", 1, 3), action("print:", 1, null), action("owned:", 1, 4)]),
  segues: list([]),
  other_connections: list([]),
  unresolved_archives: list([]),
  coverage: complete,
  limitations: [],
};

function method(owner: string, selector: string, implementation: string | null): DispatchItem {
  return { kind: "objc_method", name: `-[${owner} ${selector}]`, owner, detail: null, basis: "metadata", address: "0x9000", file_offset: 1, implementation };
}

function classItem(name: string, superclass: string | null, protocols: string[] = []): ObjcClassItem {
  return { name, basis: "metadata", address: "0x8000", file_offset: 1, superclass, swift: false, imported: false, instance_size: 8, instance_methods: 1, class_methods: 0, ivars: 0, properties: 0, protocols };
}

const metadata: readonly DispatchItem[] = [
  method("Desk", "pay:", "0x1000"),
  method("Till", "refund:", "0x2000"),
  method("Desk", "didPay:", "0x3000"),
  method("Payee", "didPay:", null),
  method("Desk", "print:", "0x4000"),
  method("Other", "pay:twice:", "0x5000"),
  { kind: "objc_selector_reference", name: "pay:", owner: null, detail: null, basis: "metadata", address: "0x7000", file_offset: 1, implementation: null },
];

const program: FakeProgram = {
  calls: { "0x1000": ["0x1100"], "0x1100": [], "0x2000": [], "0x3000": [], "0x4000": [], "0x6000": ["0x1000"] },
  names: [{ address: "0x1100", value: "charge" }],
  xrefs: { "0x7000": ["0x6004"] },
  containing: { "0x6004": "0x6000" },
};

const metadataPorts: Partial<OperationPorts> = {
  inspect_native_dispatch_metadata: (params) =>
    Promise.resolve(executed(pageOf(metadata.filter(({ name, owner }) => name.includes(params.pattern) || owner?.includes(params.pattern)), params, (item) => item))),
  get_objc_classes: (params) => {
    const classes = [classItem("Desk", "Till", ["Payee"]), classItem("Till", "NSObject")];
    return Promise.resolve(executed(pageOf(classes.filter(({ name }) => name.includes(params.pattern)), params, (item) => item)));
  },
};
const decode: Partial<OperationPorts> = { decode_interface_builder: () => Promise.resolve(executed(documents)) };

async function trace(kind: string, value: string, host: FakeHost = hostOf(program, { ...decode, ...metadataPorts })): Promise<UiTrace> {
  return uiTraceResult.parse(await host.run(traceNativeUiAction, { seed: { kind, value }, max_depth: 3 }));
}

const ends = ({ edges }: UiTrace, relation: string) => edges.filter((edge) => edge.relation === relation).map(({ to, confidence, reason }) => [to, confidence, reason]);

it("goes from the title of a button to the method of the receiver's class and its calls", async () => {
  const found = await trace("action", "Pay now");
  const message = `${nib}#2 pay:`;
  expect(found.edges.filter(({ from, to }) => from === message || to === message)).toMatchObject([
    { from: `${nib}#1`, relation: "sends", confidence: "observed" },
    { relation: "received_by", to: `${nib}#2`, confidence: "observed" },
    { relation: "handled_by", to: "-[Desk pay:] 0x1000", confidence: "derived" },
    { from: "0x6000", relation: "refers_to", confidence: "derived" },
  ]);
  expect(found.edges).toContainEqual(expect.objectContaining({ from: "0x1000", to: "0x1100", relation: "calls", confidence: "derived" }));
  expect(found.nodes).toContainEqual(expect.objectContaining({ id: "0x1100", name: "charge", depth: 1 }));
  expect(found.interface).toEqual({ state: "available", value: { documents: 0, actions: 5, outlets: 0 } });
});

it("finds the method of the nearest superclass", async () => {
  expect(ends(await trace("action", "refund:"), "handled_by")).toEqual([["-[Till refund:] 0x2000", "derived", null]]);
});

it("says that a framework's class or the responder chain or an unnamed owner decides", async () => {
  expect(ends(await trace("action", "terminate:"), "handled_by")).toEqual([[null, "unknown", "class_not_in_file"]]);
  expect(ends(await trace("action", "print:"), "handled_by")).toEqual([["-[Desk print:] 0x4000", "inferred", null], [null, "unknown", "responder_chain"]]);
  expect(ends(await trace("action", "owned:"), "handled_by")).toEqual([[null, "unknown", "receiver_class_unknown"]]);
});

it("an object id leads to its actions and outlets, a delegate's methods inferred from its protocols", async () => {
  const found = await trace("object_id", "2");
  expect(found.interface).toMatchObject({ value: { actions: 2, outlets: 1 } });
  const sent = found.edges.filter(({ to }) => to === `${nib}#2 didPay:`);
  expect(sent).toMatchObject([{ from: `${nib}#3`, relation: "sends", label: "delegate", confidence: "inferred" }]);
  expect(found.edges).toContainEqual(expect.objectContaining({ relation: "handled_by", to: "-[Desk didPay:] 0x3000", confidence: "derived" }));
});

it("a selector without any interface shows who implements it and who refers to it, exactly", async () => {
  const found = await trace("selector", "pay:", hostOf(program, metadataPorts));
  expect(found.interface.state).toBe("unavailable");
  expect(ends(found, "handled_by")).toEqual([["-[Desk pay:] 0x1000", "derived", null], [null, "unknown", "receiver_unknown"]]);
  expect(found.handlers).toBe(1);
});

it("names of symbols stand in for metadata, and all is inferred then", async () => {
  const host = hostOf({ ...program, names: [{ address: "0x1000", value: "-[Desk pay:]" }] }, decode);
  const found = await trace("action", "pay:", host);
  expect(ends(found, "handled_by")).toEqual([["-[Desk pay:] 0x1000", "inferred", null]]);
  expect(host.records.at(-1)?.confidence).toBe("inferred");
});

it("documents that cannot be read leave the code's side standing", async () => {
  const failing: Partial<OperationPorts> = { decode_interface_builder: () => Promise.reject(notOffered("decode_interface_builder")) };
  const found = await trace("selector", "pay:", hostOf(program, { ...metadataPorts, ...failing }));
  expect(found.interface.state).toBe("unavailable");
  expect(found.handlers).toBe(1);
  expect(found.coverage.state).toBe("partial");
});

it("the digest of the interface documents is part of the record", async () => {
  const host = hostOf(program, { ...decode, ...metadataPorts });
  await trace("selector", "pay:", host);
  expect(host.records.at(-1)?.parameters).toMatchObject({ path: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } });
});

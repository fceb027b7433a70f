import { createFakeProvider, fakeSupported, fakeUnavailable, fakeUnsupported } from "@rea/testkit";
import { expect, test } from "vitest";
import { call, result, runtimeWith, writeTemporary } from "./support.js";

/** Contract 03 §13, through `open_binary`: what a caller sees for every state of the host and every way of asking. */

type External = "none" | "one" | "two" | "one unusable";
const externals: readonly External[] = ["none", "one", "two", "one unusable"];
const asked = ["nothing", "auto", "concrete", "unknown"] as const;
const sources = ["request", "environment"] as const;

function providersOf(external: External, supported: boolean) {
  const support = supported ? fakeSupported : fakeUnsupported;
  const native = createFakeProvider({ id: "rea-native", embedded: true, support });
  const ghidra = createFakeProvider({ id: "ghidra", support });
  const hopper = createFakeProvider({ id: "hopper", support });
  const broken = createFakeProvider({ id: "ghidra", support, availability: fakeUnavailable });
  return { none: [native], one: [ghidra, native], two: [hopper, native, ghidra], "one unusable": [native, broken] }[external];
}

const idsOf = { none: ["rea-native"], one: ["ghidra", "rea-native"], two: ["ghidra", "hopper", "rea-native"], "one unusable": ["ghidra", "rea-native"] } as const;
const format = "target_format_unsupported";

interface Case {
  readonly external: External;
  readonly supported: boolean;
  readonly how: (typeof asked)[number];
  readonly source: (typeof sources)[number];
}

/** What `open_binary` answers: the binding, or the whole of the error's details. */
function expected({ external, supported, how, source }: Case): object {
  const ids = idsOf[external];
  const concrete = external === "none" ? "rea-native" : "ghidra";
  const allOut = ids.map((id) => `${id}:${format}`);
  if (!supported) {
    if (how === "nothing" || how === "auto" || source === "environment") return { binding: null };
    if (how === "unknown") return { code: "capability_unavailable", reason: "unknown_provider", requested: "no-such", candidates: ids, rejections: [] };
    return { code: "capability_unavailable", reason: "target_unsupported", requested: concrete, candidates: ids, rejections: allOut.filter((text) => text.startsWith(concrete)) };
  }
  if (how === "unknown") return { code: "capability_unavailable", reason: "unknown_provider", requested: "no-such", candidates: ids, rejections: [] };
  if (how === "concrete") {
    if (external !== "one unusable") return { binding: [concrete, source] };
    return { code: "provider_unavailable", reason: "provider_unavailable", requested: "ghidra", candidates: ids, rejections: ["ghidra:not_configured"] };
  }
  if (external === "two") return { code: "capability_unavailable", reason: "ambiguous", requested: null, candidates: ["ghidra", "hopper"], rejections: [] };
  return { binding: external === "one" ? ["ghidra", "auto-single-candidate"] : ["rea-native", "embedded-default"] };
}

const matrix = externals.flatMap((external) =>
  [true, false].flatMap((supported) => asked.flatMap((how) => sources.map((source): Case => ({ external, supported, how, source })))),
);

test.each(matrix)("$external external, supported $supported, $how by $source", async (each) => {
  const { external, supported, how, source } = each;
  const id = { nothing: undefined, auto: "auto", concrete: external === "none" ? "rea-native" : "ghidra", unknown: "no-such" }[how];
  const providers = providersOf(external, supported);
  const service = runtimeWith({ providers, env: id === undefined || source === "request" ? {} : { REA_ANALYSIS_PROVIDER: id } });
  const path = writeTemporary("program", "one");
  const reply = await call(service, "open_binary", { path, ...(id === undefined || source === "environment" ? {} : { provider_id: id }) });
  if (reply.ok) {
    const { binding } = JSON.parse(JSON.stringify(reply.value.result));
    expect({ binding: binding === null ? null : [binding.provider.id, binding.selection_source] }).toEqual(expected(each));
  } else {
    const { code, details, remediation } = JSON.parse(JSON.stringify(reply.error));
    const rejections = details.rejections.map((rejection: { provider_id: string; code: string }) => `${rejection.provider_id}:${rejection.code}`);
    expect({ code, reason: details.selection_reason, requested: details.requested_provider_id, candidates: details.candidate_ids, rejections }).toEqual(expected(each));
    expect(details.operation).toBe("open_binary");
    expect(remediation.action).not.toBe("");
  }
  // Whatever came of it, nothing was started, and the candidates are all there.
  expect(providers.flatMap(({ started }) => started)).toEqual([]);
  const session = await result(service, "binary_session");
  expect(session.analysis_provider_candidates.map((candidate: { provider: { id: string } }) => candidate.provider.id)).toEqual(idsOf[external]);
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  createFakeProvider,
  fakeSupported,
  fakeUnavailable,
  fakeUnsupported,
  programTarget,
  type FakeProvider,
} from "../../testkit/src/index.js";
import {
  chooseSelector,
  createProviderRegistry,
  inspectCandidates,
  parseProviderSelector,
  resolveProfiles,
  selectionError,
  selectProvider,
  type Selection,
} from "../src/index.js";

const target = programTarget();

type External = "none" | "one" | "two" | "one unusable";
type Support = "supported" | "unsupported";
type Asked = "nothing" | "auto" | "concrete" | "unknown";
type Source = "request" | "environment";

function providersFor(external: External, support: Support): FakeProvider[] {
  const given = support === "supported" ? fakeSupported : fakeUnsupported;
  const native = createFakeProvider({ id: "rea-native", embedded: true, support: given });
  const ghidra = createFakeProvider({ id: "ghidra", support: given });
  const hopper = createFakeProvider({ id: "hopper", support: given });
  const broken = createFakeProvider({ id: "ghidra", support: given, availability: fakeUnavailable });
  return { none: [native], one: [native, ghidra], two: [native, hopper, ghidra], "one unusable": [native, broken] }[external];
}

function idOf(asked: Asked, external: External): string | undefined {
  if (asked === "nothing") return undefined;
  if (asked === "auto") return "auto";
  if (asked === "unknown") return "no-such";
  return external === "none" ? "rea-native" : "ghidra";
}

async function select(providers: readonly FakeProvider[], given: { request?: string; environment?: string }) {
  const registry = createProviderRegistry(providers);
  const chosen = chooseSelector({
    request: given.request === undefined ? undefined : parseProviderSelector(given.request),
    environment: given.environment === undefined ? undefined : parseProviderSelector(given.environment),
  });
  const candidates = await resolveProfiles({
    registry,
    candidates: inspectCandidates(registry, target),
    target,
    selector: chosen.selector,
    signal: new AbortController().signal,
  });
  return selectProvider(candidates, chosen);
}

function summary(selection: Selection): string {
  const rejections = selection.rejections.map(({ provider_id, code }) => `${provider_id}:${code}`).join(",");
  if (selection.outcome === "bound") {
    return `bound ${selection.binding.provider.id} ${selection.binding.selection_source} [${rejections}]`;
  }
  return `${selection.outcome}${selection.outcome === "refused" ? ` ${selection.reason}` : ""} [${rejections}]`;
}

const format = "target_format_unsupported";
const nativeOut = `rea-native:${format}`;
const ghidraOut = `ghidra:${format}`;
const bothOut = `unbound [${ghidraOut},${nativeOut}]`;
const allOut = `unbound [${ghidraOut},hopper:${format},${nativeOut}]`;
const automatic: Record<External, Record<Support, string>> = {
  none: { supported: "bound rea-native embedded-default []", unsupported: `unbound [${nativeOut}]` },
  one: { supported: "bound ghidra auto-single-candidate []", unsupported: bothOut },
  two: { supported: "refused ambiguous []", unsupported: allOut },
  "one unusable": { supported: "bound rea-native embedded-default [ghidra:not_configured]", unsupported: bothOut },
};
const concrete: Record<External, Record<Support, (source: Source) => string>> = {
  none: {
    supported: (source) => `bound rea-native ${source} []`,
    unsupported: (source) => (source === "request" ? `refused target_unsupported [${nativeOut}]` : `unbound [${nativeOut}]`),
  },
  one: {
    supported: (source) => `bound ghidra ${source} []`,
    unsupported: (source) => (source === "request" ? `refused target_unsupported [${ghidraOut}]` : bothOut),
  },
  two: {
    supported: (source) => `bound ghidra ${source} []`,
    unsupported: (source) => (source === "request" ? `refused target_unsupported [${ghidraOut}]` : allOut),
  },
  "one unusable": {
    supported: () => "refused provider_unavailable [ghidra:not_configured]",
    unsupported: (source) => (source === "request" ? `refused target_unsupported [${ghidraOut}]` : bothOut),
  },
};

function expected(external: External, support: Support, asked: Asked, source: Source): string {
  if (asked === "nothing" || asked === "auto") return automatic[external][support];
  if (asked === "concrete") return concrete[external][support](source);
  const closed = source === "environment" && support === "unsupported";
  return closed ? automatic[external].unsupported : "refused unknown_provider []";
}

const externals: External[] = ["none", "one", "two", "one unusable"];
const supports: Support[] = ["supported", "unsupported"];
const askings: Asked[] = ["nothing", "auto", "concrete", "unknown"];
const sources: Source[] = ["request", "environment"];
const matrix = externals.flatMap((external) =>
  supports.flatMap((support) =>
    askings.flatMap((asked) => sources.map((source) => ({ external, support, asked, source }))),
  ),
);

describe("selection", () => {
  test.each(matrix)(
    "$external external provider(s), $support target, $asked asked by $source: the exact choice and rejections",
    async ({ external, support, asked, source }) => {
      const id = idOf(asked, external);
      const selection = await select(providersFor(external, support), id === undefined ? {} : { [source]: id });
      expect(summary(selection)).toBe(expected(external, support, asked, source));
    },
  );

  test("an explicit auto overrides a concrete environment value", async () => {
    const selection = await select(providersFor("one", "supported"), { request: "auto", environment: "rea-native" });
    expect(summary(selection)).toBe("bound ghidra auto-single-candidate []");
  });

  test("a request overrides the environment", async () => {
    const selection = await select(providersFor("one", "supported"), { request: "rea-native", environment: "ghidra" });
    expect(summary(selection)).toBe("bound rea-native request []");
  });

  test("an exception while resolving the profile is version_unresolved, and auto goes on without that provider", async () => {
    const providers = [
      createFakeProvider({ id: "ghidra", version: null }),
      createFakeProvider({ id: "rea-native", embedded: true }),
    ];
    expect(summary(await select(providers, {}))).toBe("bound rea-native embedded-default [ghidra:version_unresolved]");
    expect(summary(await select(providers, { request: "ghidra" }))).toBe(
      "refused provider_unavailable [ghidra:version_unresolved]",
    );
  });

  test("exceptions of availability and support checks reject the provider without their text", async () => {
    const secret = (): never => {
      throw new Error("secret of the engine");
    };
    const providers = [
      createFakeProvider({ id: "aa", availability: secret }),
      createFakeProvider({ id: "bb", support: secret }),
      createFakeProvider({ id: "rea-native", embedded: true }),
    ];
    const selection = await select(providers, {});
    expect(selection.outcome).toBe("bound");
    expect(selection.rejections.map(({ provider_id }) => provider_id)).toEqual(["aa", "bb"]);
    expect(JSON.stringify(selection)).not.toContain("secret of the engine");
  });

  test("invalid open options are their own reason", async () => {
    const availability = { status: "unavailable", code: "open_options_invalid", reason: "r", diagnostics: {} } as const;
    const selection = await select([createFakeProvider({ id: "hopper", availability })], { request: "hopper" });
    expect(summary(selection)).toBe("refused invalid_options [hopper:open_options_invalid]");
  });

  test("a cancelled profile resolution is cancelled, not version_unresolved", async () => {
    const registry = createProviderRegistry([createFakeProvider({ id: "ghidra" })]);
    const signal = AbortSignal.abort();
    const candidates = inspectCandidates(registry, target);
    await expect(
      resolveProfiles({ registry, candidates, target, selector: { kind: "auto" }, signal }),
    ).rejects.toMatchObject({ code: "cancelled" });
  });

  test("the error repeats reason, candidates and rejections, with the public code of the reason", async () => {
    const ambiguous = await select(providersFor("two", "supported"), {});
    if (ambiguous.outcome === "bound") throw new Error("bound");
    expect(selectionError(ambiguous, "open_binary")).toMatchObject({
      code: "capability_unavailable",
      details: {
        operation: "open_binary",
        selection_reason: "ambiguous",
        requested_provider_id: null,
        candidate_ids: ["ghidra", "hopper"],
        rejections: [],
      },
      action: 'Call open_binary again with provider_id "ghidra", or "hopper". Or set REA_ANALYSIS_PROVIDER=ghidra before REA starts.',
    });
    const unusable = await select(providersFor("one unusable", "supported"), { request: "ghidra" });
    if (unusable.outcome === "bound") throw new Error("bound");
    expect(selectionError(unusable, "open_binary")).toMatchObject({
      code: "provider_unavailable",
      details: { selection_reason: "provider_unavailable", candidate_ids: ["ghidra", "rea-native"] },
      action: 'The fake engine is not configured. Or call open_binary again with provider_id "auto".',
    });
  });

  test("shuffling the registration changes no byte of the selection", async () => {
    const providers = (): FakeProvider[] => [
      ...providersFor("two", "supported"),
      createFakeProvider({ id: "zz-late", availability: fakeUnavailable }),
      createFakeProvider({ id: "aa-early", support: fakeUnsupported }),
    ];
    const reference = JSON.stringify(await select(providers(), {}));
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(providers(), { minLength: 5 }),
        fc.constantFrom(undefined, "auto"),
        async (shuffled, request) => {
          expect(JSON.stringify(await select(shuffled, request === undefined ? {} : { request }))).toBe(reference);
        },
      ),
    );
  });
});

describe("selector parser", () => {
  test.each([
    ["auto", { kind: "auto" }],
    ["rea-native", { kind: "concrete", id: "rea-native" }],
    ["x9", { kind: "concrete", id: "x9" }],
    ["Ghidra", undefined],
    ["g", undefined],
    ["ghidra-", undefined],
    [" auto", undefined],
    ["", undefined],
    [`a${"b".repeat(64)}`, undefined],
  ])("%j reads as %j", (text, selector) => {
    expect(parseProviderSelector(text)).toEqual(selector);
  });
});

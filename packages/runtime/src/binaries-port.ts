import {
  deepOperations,
  omission,
  operations,
  ReaError,
  silentProgress,
  type BinariesPort,
  type NativeFingerprint,
  type Omission,
  type OperationContext,
  type OperationResult,
} from "@rea/core";
import type { BinarySide, FileFacts } from "@rea/compare";
import type { AnalysisProvider, ProviderRegistry } from "@rea/provider";
import { openPrivateClient, type PrivateClient } from "./private-client.js";
import { executeStatic, type AuxiliaryRegistry } from "./static-calls.js";
import { resolveTarget, type DetectFile, type ResolvedTarget } from "./target/resolve-target.js";

const operation = "compare_binaries";
const identity = { id: "rea-comparison", name: "REA comparison", version: "1" };
/** Strings compared of each side. */
const mostStrings = 50_000;

interface Parts {
  readonly registry: ProviderRegistry;
  readonly auxiliary: AuxiliaryRegistry;
  readonly detect: DetectFile;
}

/** Comparison of two executables through private clients of the embedded engine. */
export function createBinariesPort(parts: Parts): BinariesPort {
  return {
    compare: async ({ left, right, architecture, ...request }, context) => {
      const provider = embedded(parts.registry);
      const report = (completed: number, message: string): void => context.progress.report({ phase: operation, completed, total: 3, message });
      const silent = { signal: context.signal, progress: silentProgress };
      const targets = { left: await resolveTarget({ path: left, architecture, operation }, parts.detect, silent), right: await resolveTarget({ path: right, architecture, operation }, parts.detect, silent) };
      report(1, "Analysing both programs.");
      const [before, after] = await bothOf([targets.left, targets.right], (target) => sideOf(target, { ...parts, provider }, silent));
      report(2, "Matching functions.");
      const { compareBinariesInThread } = await import("@rea/compare");
      const { result, whole } = await compareBinariesInThread({ left: before, right: after, ...request, operation, signal: context.signal });
      report(3, "Matched.");
      return {
        result,
        raw_result: null,
        provider: identity,
        analysis_profile: null,
        subject: null,
        confidence: "inferred",
        limitations: result.limitations,
        locations: [],
        resolved_parameters: {},
        wholes: [whole],
        digests: { left: before.sha256, right: after.sha256 },
      };
    },
  };
}

function embedded({ providers }: ProviderRegistry): AnalysisProvider {
  const found = providers.find((provider) => provider.embedded);
  if (found !== undefined) return found;
  throw new ReaError("capability_unavailable", { message: "No embedded engine is registered, which the comparison needs.", details: { selection_reason: "unknown_provider" } });
}

/** Both at the same time; when one fails the other is still ended before the error is told. */
async function bothOf<T, R>([left, right]: readonly [T, T], work: (item: T) => Promise<R>): Promise<readonly [R, R]> {
  const [before, after] = await Promise.allSettled([work(left), work(right)]);
  if (before.status === "rejected") throw before.reason;
  if (after.status === "rejected") throw after.reason;
  return [before.value, after.value];
}

async function sideOf(resolved: ResolvedTarget, { provider, auxiliary }: Parts & { readonly provider: AnalysisProvider }, context: OperationContext): Promise<BinarySide> {
  const { target } = resolved;
  const client = await openPrivateClient(provider, resolved, context);
  try {
    const prints = await fingerprintsOf(client, context);
    const strings = await stringsOf(client, context);
    const declared = await declaredFacts(resolved, auxiliary, context);
    return {
      sha256: target.sha256 ?? "",
      bytes: target.bytes,
      format: target.format,
      architecture: target.architecture,
      functions: prints.functions,
      facts: { ...declared.facts, strings: strings.values },
      omissions: [...prints.omissions, ...strings.omissions, ...declared.omissions],
    };
  } finally {
    await client.close();
  }
}

async function fingerprintsOf(client: PrivateClient, context: OperationContext): Promise<{ readonly functions: NativeFingerprint[]; readonly omissions: readonly Omission[] }> {
  const functions: NativeFingerprint[] = [];
  for (let offset = 0; ; ) {
    const { result } = await client.ask("fingerprint_functions", deepOperations.fingerprint_functions.params.parse({ offset, limit: 2000 }), context);
    functions.push(...result.functions);
    if (result.next_offset === null) return { functions, omissions: result.coverage.omissions };
    offset = result.next_offset;
  }
}

async function stringsOf(client: PrivateClient, context: OperationContext): Promise<{ readonly values: string[]; readonly omissions: readonly Omission[] }> {
  const values: string[] = [];
  for (let offset = 0; ; ) {
    const { result } = await client.ask("list_strings", deepOperations.list_strings.params.parse({ offset, limit: 500 }), context);
    for (const { value } of result.items) values.push(value);
    if (result.next_offset === null) return { values, omissions: [] };
    if (values.length >= mostStrings) return { values, omissions: [omission("strings", "limit_items", { limit: mostStrings })] };
    offset = result.next_offset;
  }
}

type Inspection = OperationResult<"inspect_binary">;

type Declared = Omit<FileFacts, "strings">;

/** Lists that files declare; imports and exports page by page. */
async function declaredFacts({ target }: ResolvedTarget, auxiliary: AuxiliaryRegistry, context: OperationContext): Promise<{ readonly facts: Declared; readonly omissions: readonly Omission[] }> {
  const slice = target.architecture === null ? {} : { architecture: target.architecture };
  const page = async (facets: readonly string[], offset: number): Promise<Inspection> => {
    const params = operations.inspect_binary.params.parse({ facets, symbol_offset: offset, symbol_limit: 500, ...slice });
    return (await executeStatic(auxiliary, "inspect_binary", { target, params, context })).result;
  };
  const first = await page(["sections", "imports", "exports", "libraries", "mitigations"], 0);
  const [imports, exports] = [new Set<string>(), new Set<string>()];
  for (let [at, offset] = [first, 0]; ; at = await page(["imports", "exports"], offset)) {
    addNames(imports, at.imports?.items);
    addNames(exports, at.exports?.items);
    if (at.imports?.has_more !== true && at.exports?.has_more !== true) break;
    offset += 500;
  }
  return { facts: { imports: [...imports], exports: [...exports], ...wholeLists(first) }, omissions: omissionsOf(first) };
}

function addNames(names: Set<string>, items: readonly { readonly name: string | null }[] = []): void {
  for (const { name } of items) if (name !== null) names.add(name);
}

function wholeLists({ libraries, sections, mitigations }: Inspection): Pick<FileFacts, "libraries" | "sections" | "mitigations"> {
  return {
    libraries: (libraries?.needed ?? []).map(({ name }) => name),
    sections: (sections?.items ?? []).map(({ name, size, virtual_size, sha256 }) => ({ name, size: size ?? virtual_size, sha256 })),
    mitigations: (mitigations?.items ?? []).map(({ name, state }) => ({ name, state })),
  };
}

function omissionsOf({ sections, imports, exports, libraries, mitigations }: Inspection): readonly Omission[] {
  return [sections, imports, exports, libraries, mitigations].flatMap((facet) => facet?.coverage.omissions ?? []);
}

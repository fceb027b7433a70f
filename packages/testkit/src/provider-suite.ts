import {
  deepOperationNames,
  deepOperations,
  parseAnalysisProfile,
  ReaError,
  silentProgress,
  z,
  type DeepOperationName,
  type OperationContext,
} from "@rea/core";
import type { AnalysisClient, AnalysisProvider, ClientAnswer, Target } from "@rea/provider";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testConduct } from "./provider-conduct.js";
import { providerQuestion, type ProviderPlace } from "./provider-questions.js";

/** A real program a provider must handle. `absent` is the reason to skip it on this machine. */
export interface ProviderFixture {
  readonly name: string;
  readonly target: () => Target | Promise<Target>;
  readonly absent?: string | undefined;
}

export interface ProviderSuite {
  readonly provider: AnalysisProvider;
  readonly fixtures: readonly ProviderFixture[];
  /** Its opt-outs: operations of the deep family that the provider does not offer. The reference lists them. */
  readonly without: readonly DeepOperationName[];
}

const pageSchema = z.object({
  items: z.array(z.unknown()),
  offset: z.number(),
  total: z.number().nullable(),
  next_offset: z.number().nullable(),
  has_more: z.boolean(),
});

/**
 * The contract every deep provider passes: what it declares it answers, in the shape the operation promises and the
 * same every time, in bounds and with visible text; what it does not declare it refuses; it can be asked by many at once,
 * cancelled, and closed, also twice.
 */
export function testProvider({ provider, fixtures, without }: ProviderSuite): void {
  const declared = provider.capabilities().map(({ operation }) => operation);

  describe(`provider ${provider.identity().id}`, () => {
    test("declares each operation it offers once, under a valid id", () => {
      expect(provider.identity().id).toMatch(/^[a-z][a-z0-9-]{0,62}[a-z0-9]$/);
      expect(new Set(declared).size).toBe(declared.length);
      expect([...declared].sort()).toEqual(deepOperationNames.filter((name) => !without.includes(name)).sort());
    });

    test("declares effects and limits that hold together", () => {
      for (const capability of provider.capabilities()) {
        expect(capability.input_contract_version, capability.operation).toBeGreaterThan(0);
        expect(capability.output_contract_version, capability.operation).toBeGreaterThan(0);
        expect(capability.available, capability.operation).toBe(capability.availability_code === null);
        expect(capability.available, capability.operation).toBe(capability.reason === null);
      }
    });

    test("says at once whether it is available, the same each time", () => {
      expect(provider.inspectAvailability()).toEqual(provider.inspectAvailability());
    });

    for (const fixture of fixtures) describe(fixture.name, () => testTarget({ provider, fixture, declared, without }));
  });
}

interface TargetSuite {
  readonly provider: AnalysisProvider;
  readonly fixture: ProviderFixture;
  readonly declared: readonly DeepOperationName[];
  readonly without: readonly DeepOperationName[];
}

function testTarget({ provider, fixture, declared, without }: TargetSuite): void {
  if (fixture.absent !== undefined) {
    test("is analysed", (context) => context.skip(fixture.absent));
    return;
  }
  const opened: { client?: AnalysisClient; target?: Target; place?: ProviderPlace } = {};

  beforeAll(async () => {
    opened.target = await fixture.target();
    opened.client = await startClient(provider, opened.target);
    opened.place = await findPlace(opened.client, declared);
  });
  afterAll(async () => {
    await opened.client?.close();
  });
  const ask = async (operation: DeepOperationName, params?: object): Promise<ClientAnswer> => {
    const question = params ?? providerQuestion(operation, present(opened.place));
    return await execute(present(opened.client), operation, question);
  };

  test("is supported, and a directory is not", () => {
    const target = present(opened.target);
    expect(provider.inspectTargetSupport(target)).toMatchObject({ status: "supported" });
    const directory: Target = { ...target, kind: "directory", format: "directory", sha256: null, architecture: null };
    expect(provider.inspectTargetSupport(directory)).toMatchObject({ status: "unsupported", code: "target_kind_unsupported" });
  });

  test("has one profile, which names the provider in a concrete version", async () => {
    const { signal } = new AbortController();
    const target = present(opened.target);
    const profile = parseAnalysisProfile(await provider.resolveAnalysisProfile(target, { signal }));
    expect(profile.provider.id).toBe(provider.identity().id);
    expect(profile.provider.version).toBeTypeOf("string");
    expect(await provider.resolveAnalysisProfile(target, { signal })).toEqual(profile);
  });

  test.each(declared)("%s answers as its contract says", async (operation) => {
    const answer = await ask(operation);
    expect(() => deepOperations[operation].result.parse(answer.result)).not.toThrow();
    expect(new Set(answer.limitations).size).toBe(answer.limitations.length);
    expect(["observed", "derived", "inferred"]).toContain(answer.confidence);
  });

  test.each(declared)("%s answers the same question with the same answer", async (operation) => {
    const first = await ask(operation);
    // The first removal changes what the second finds.
    if (operation !== "unset_bookmark") expect(await ask(operation)).toEqual(first);
  });

  test("pages of every paged list join without gap or overlap", async () => {
    const paged = provider.capabilities().filter(({ pagination }) => pagination === "offset");
    for (const { operation } of paged) {
      const whole = pageOf(await ask(operation));
      if (whole === undefined) continue;
      const items: unknown[] = [];
      for (let offset = 0; offset < whole.items.length; offset += 1) {
        const question = { ...providerQuestion(operation, present(opened.place)), offset, limit: 1 };
        items.push(...(pageOf(await ask(operation, question))?.items ?? []));
        if (offset === 20) break;
      }
      expect(items, operation).toEqual(whole.items.slice(0, items.length));
    }
  });

  if (without.length > 0) {
    test.each(without)("%s is refused as not offered", async (operation) => {
      await expect(ask(operation)).rejects.toMatchObject({ code: "capability_unavailable" });
    });
  }

  test("a call that was given up before it began is cancelled, and the next one is answered", async () => {
    const operation = declared[0] ?? "list_documents";
    const question = providerQuestion(operation, present(opened.place));
    const cancelled = execute(present(opened.client), operation, question, AbortSignal.abort());
    await expect(cancelled).rejects.toMatchObject({ code: "cancelled" });
    expect((await ask(operation)).confidence).toBeTypeOf("string");
  });

  test("a call that is given up while it runs is cancelled, and the next one is answered", async () => {
    const client = await startClient(provider, present(opened.target));
    const controller = new AbortController();
    const operation = declared.find((name) => name === "list_procedures") ?? declared[0] ?? "list_documents";
    const running = execute(client, operation, providerQuestion(operation, present(opened.place)), controller.signal);
    controller.abort();
    await expect(running).rejects.toMatchObject({ code: "cancelled" });
    expect((await ask(operation)).confidence).toBeTypeOf("string");
    await client.close();
  });

  testConduct({ embedded: provider.embedded, declared, ask, client: () => present(opened.client), start: () => startClient(provider, present(opened.target)) });

  test("closing twice is safe and leaves nothing, and a closed client refuses", async () => {
    const client = await startClient(provider, present(opened.target));
    expect(await client.close()).toEqual({ remaining: [] });
    expect(await client.close()).toEqual({ remaining: [] });
    const operation = declared[0] ?? "list_documents";
    const late = execute(client, operation, providerQuestion(operation, present(opened.place)));
    await expect(late).rejects.toBeInstanceOf(ReaError);
  });
}

async function startClient(provider: AnalysisProvider, target: Target): Promise<AnalysisClient> {
  const profile = await provider.resolveAnalysisProfile(target, { signal: new AbortController().signal });
  return await provider.createClient(target, profile, { runId: "contract-suite" });
}

async function execute(
  client: AnalysisClient,
  operation: DeepOperationName,
  question: object,
  signal: AbortSignal = new AbortController().signal,
): Promise<ClientAnswer> {
  const context: OperationContext = { signal, progress: silentProgress };
  return await client.execute(operation, deepOperations[operation].params.parse(question), context);
}

/** The first function with a body, and the first document; without lists of them, address zero and any name. */
async function findPlace(client: AnalysisClient, declared: readonly DeepOperationName[]): Promise<ProviderPlace> {
  const document = await firstDocument(client, declared);
  if (!declared.includes("list_procedures")) return { procedure: "0x0", address: "0x0", document };
  const { result } = await execute(client, "list_procedures", { limit: 500 });
  const { items } = deepOperations.list_procedures.result.parse(result);
  const local = items.find(({ procedure }) => !procedure.external) ?? items[0];
  const address = local?.address ?? "0x0";
  return { procedure: address, address, document };
}

async function firstDocument(client: AnalysisClient, declared: readonly DeepOperationName[]): Promise<string> {
  if (!declared.includes("list_documents")) return "target";
  const { result } = await execute(client, "list_documents", {});
  return deepOperations.list_documents.result.parse(result).items[0] ?? "target";
}

function pageOf({ result }: ClientAnswer): z.output<typeof pageSchema> | undefined {
  return pageSchema.safeParse(result).data;
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("The fixture was not opened.");
  return value;
}

import { canonicalJson, deepOperations, escapeUntrusted, isReaError, silentProgress, type DeepOperationName, type ProgressUpdate } from "@rea/core";
import type { AnalysisClient, ClientAnswer } from "@rea/provider";
import { expect, test } from "vitest";

/** How the suite asks the client under test. */
export interface ProviderConduct {
  readonly embedded: boolean;
  readonly declared: readonly DeepOperationName[];
  readonly ask: (operation: DeepOperationName, params?: object) => Promise<ClientAnswer>;
  readonly client: () => AnalysisClient;
  /** A client of its own, which the test closes. */
  readonly start: () => Promise<AnalysisClient>;
}

/** One more than may wait and be worked on at the same time (contract 03 §8). */
const crowd = 34;

/** What holds for every provider whatever it is asked: bounded and escaped answers, a queue that refuses, a state that is told. */
export function testConduct({ embedded, declared, ask, client, start }: ProviderConduct): void {
  const list = declared.find((name) => name === "list_segments") ?? declared[0];
  if (list === undefined) return;

  test.each(declared)("%s answers with whole numbers, visible text, and within 1 MiB", async (operation) => {
    const { result, limitations, raw_result: raw } = await ask(operation);
    // Canonical JSON has no fractions and no lone surrogates.
    for (const value of [result, raw]) expect(() => canonicalJson(value)).not.toThrow();
    expect(Buffer.byteLength(JSON.stringify(result) ?? "")).toBeLessThanOrEqual(1024 ** 2);
    for (const text of textsOf([result, limitations])) expect(escapeUntrusted(text, { multiline: true }).replaceAll(String.raw`\u{5c}`, "\\")).toBe(text);
  });

  test("what does not exist is an answer or a typed error, and its name is not repeated", async () => {
    const asked: readonly (readonly [DeepOperationName, object])[] = [
      ["procedure_info", { procedure: "no such procedure" }],
      ["procedure_address", { procedure: "0xfffffffffffffff0" }],
      ["read_bytes", { address: "0xfffffffffffffff0", length: 4 }],
      ["xrefs", { address: "0xfffffffffffffff0" }],
      ["list_procedures", { document: "no such document" }],
    ];
    for (const [operation, params] of asked.filter(([name]) => declared.includes(name))) {
      const error: unknown = await ask(operation, params).then(() => null, (reason: unknown) => reason);
      if (error === null) continue;
      expect(isReaError(error) && ["target_unavailable", "invalid_request", "execution_failure"].includes(error.code), operation).toBe(true);
      expect(isReaError(error) ? error.message : "").not.toMatch(/no such/);
    }
  });

  test("progress of a call never falls back and ends with it", async () => {
    const own = await start();
    const seen: ProgressUpdate[] = [];
    let over = false;
    const report = (update: ProgressUpdate): void => {
      expect(over).toBe(false);
      seen.push(update);
    };
    await own.execute(list, deepOperations[list].params.parse({}), { signal: new AbortController().signal, progress: { report } });
    over = true;
    for (const [index, { completed, total }] of seen.entries()) {
      const before = seen[index - 1];
      // Parts of a call may each begin anew; the host adds them up.
      if (before?.phase === seen[index]?.phase) expect(completed).toBeGreaterThanOrEqual(before?.completed ?? 0);
      if (total !== undefined) expect(total).toBeGreaterThanOrEqual(completed);
    }
    await own.close();
  });

  test("calls that come all at once are answered, or refused because too many wait", async () => {
    const params = deepOperations[list].params.parse({});
    const one = (): Promise<ClientAnswer> => client().execute(list, params, { signal: new AbortController().signal, progress: silentProgress });
    const asked = await Promise.allSettled(Array.from({ length: crowd }, one));
    const answered = asked.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
    expect(answered.length).toBeGreaterThan(0);
    for (const answer of answered) expect(answer).toEqual(answered[0]);
    for (const outcome of asked) {
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "provider_unavailable", retryable: true, details: { reason: "queue_full" } });
    }
    expect(client().activity()).toEqual({ active: null, queued_requests: 0 });
  });

  test("says what of its processes was observed, and whether it can be asked", async () => {
    await ask(list);
    const lineage = client().runtimeLineage();
    if (embedded) expect(lineage).toBeNull();
    else if (lineage !== null) {
      expect(lineage["status"]).toMatch(/^(?:verified|unavailable)$/);
      expect(lineage["observed_at"]).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    }
    expect(client().alive?.() ?? true).toBe(true);
    const own = await start();
    await own.close();
    expect(own.alive?.() ?? false).toBe(false);
  });
}

function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap((member) => textsOf(member));
}

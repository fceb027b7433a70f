import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createBundle, createEvidence, parseBundle, serializeBundle, type Evidence } from "@rea/core";
import { describe, expect, test } from "vitest";
import { rederiveBundle, type Rederivation } from "../src/index.js";
import { call, context, directory, embeddedRuntime, result } from "./support.js";

const hasGcc = spawnSync("gcc", ["--version"]).status === 0;
const why = "skipped: no gcc on this host";
const source = (limit: number): string => `
#include <stdio.h>
__attribute__((noinline)) static int checked(int n) { if (n > ${String(limit)}) { puts("too many"); return 2; } return n; }
int main(int argc, char **argv) { return checked(argc); }
`;

function compiled(limit: number): string {
  const file = join(directory(), "app");
  writeFileSync(`${file}.c`, source(limit));
  execFileSync("gcc", ["-w", "-O1", "-o", file, `${file}.c`]);
  return file;
}

/** A bundle about a program: its header, two functions and their comparison, an unknown, the cursor. */
async function bundled(file: string): Promise<string> {
  const session = embeddedRuntime();
  await result(session, "open_binary", { path: file });
  await result(session, "inspect_binary");
  await result(session, "binary_overview");
  await result(session, "get_navigation_context");
  const ids: string[] = [];
  for (const procedure of ["checked", "main"]) {
    const reply = await call(session, "analyze_function", { procedure, include_assembly: true });
    if (!reply.ok || !("evidence_id" in reply.value)) throw new Error("no record");
    ids.push(reply.value.evidence_id);
  }
  const [left, right] = ids.map((evidence_id) => ({ evidence_id }));
  await result(session, "compare_functions", { left, right });
  await result(session, "record_unknown", { question: "Why that limit?", domain: "limits", severity: "low", required_confidence: "observed" });
  await result(session, "current_address");
  const path = join(directory(), "bundle.json");
  await result(session, "export_evidence_bundle", { path });
  await session.close();
  return path;
}

async function verified(bundle: string, target: string): Promise<Rederivation> {
  const session = embeddedRuntime();
  await result(session, "import_evidence_bundle", { path: bundle });
  const { sha256 } = await result(session, "open_binary", { path: target });
  const found = await rederiveBundle(session, { bundle, target: { path: target, sha256, provider: "rea-native" } }, context());
  await session.close();
  return found;
}

const verdicts = ({ records }: Rederivation) => Object.fromEntries(records.map(({ operation, verdict, reason }) => [operation, reason ?? verdict]));

/** The bundle with one record replaced by another, and what links to it linked to that; ids are right again. */
function forged(path: string, operation: string, change: (record: Evidence) => Evidence["normalized_result"]): string {
  const bundle = parseBundle(readFileSync(path));
  const renamed = new Map<string, string>();
  const again = (record: Evidence, normalized_result: Evidence["normalized_result"]): Evidence => {
    const text = JSON.stringify({ parameters: record.parameters, links: record.evidence_links, result: normalized_result });
    const { parameters, links, result: value } = JSON.parse([...renamed].reduce((all, [from, to]) => all.replaceAll(from, to), text));
    const made = createEvidence({ ...record, parameters, evidence_links: links, normalized_result: value });
    renamed.set(record.evidence_id, made.evidence_id);
    return made;
  };
  const [base, derived] = [bundle.records.filter(({ evidence_links: links }) => links.length === 0), bundle.records.filter(({ evidence_links: links }) => links.length > 0)];
  const records = [...base.map((record) => (record.operation === operation ? again(record, change(record)) : record)), ...derived.map((record) => again(record, record.normalized_result))];
  const file = join(directory(), "forged.json");
  writeFileSync(file, serializeBundle(createBundle({ records, unknowns: bundle.unknowns })));
  return file;
}

describe.skipIf(!hasGcc)(`records made again from the bytes (${why})`, () => {
  test("are confirmed, whoever cites them, and what does not come from the bytes is told apart", async () => {
    const file = compiled(100);
    expect(verdicts(await verified(await bundled(file), file))).toEqual({
      inspect_binary: "confirmed",
      binary_overview: "confirmed",
      get_navigation_context: "cursor",
      analyze_function: "confirmed",
      compare_functions: "confirmed",
      record_unknown: "statement",

      current_address: "cursor",
    });
  });

  test("contradict a record that was changed and given its right id, and leave open what rests on it", async () => {
    const file = compiled(100);
    const path = forged(await bundled(file), "analyze_function", ({ normalized_result: value }) => JSON.parse(JSON.stringify(value).replaceAll("too many", "too few")));
    const found = await verified(path, file);
    const contradicted = found.records.filter(({ verdict }) => verdict === "contradicted");
    expect(contradicted.map(({ operation, place }) => [operation, place?.startsWith("/normalized_result/")])).toEqual([["analyze_function", true]]);
    expect(verdicts(found)).toMatchObject({ inspect_binary: "confirmed", compare_functions: "contradicted_input" });
    expect(found.summary).toEqual({ confirmed: 3, contradicted: 1, not_rederivable: 4 });
  });

  test("say nothing about another program", async () => {
    const found = await verified(await bundled(compiled(100)), compiled(300));
    expect(found.summary.contradicted).toBe(0);
    expect(verdicts(found)).toMatchObject({ inspect_binary: "other_target", analyze_function: "other_target", compare_functions: "confirmed" });
  });

  test("leave open what another engine said", async () => {
    const file = compiled(100);
    const path = await bundled(file);
    const session = embeddedRuntime();
    await result(session, "import_evidence_bundle", { path });
    const { sha256 } = await result(session, "open_binary", { path: file });
    const found = await rederiveBundle(session, { bundle: path, target: { path: file, sha256, provider: null } }, context());
    await session.close();
    expect(verdicts(found)).toMatchObject({ inspect_binary: "confirmed", analyze_function: "other_producer" });
  });

  test("tell statements, and what annotations entered, from what the bytes say", async () => {
    const file = compiled(100);
    const session = embeddedRuntime();
    await result(session, "open_binary", { path: file });
    const address = await result(session, "procedure_address", { procedure: "main" });
    await result(session, "set_comment", { address, comment: "the beginning" });
    await result(session, "analyze_function", { procedure: "main" });
    const path = join(directory(), "bundle.json");
    await result(session, "export_evidence_bundle", { path });
    await session.close();
    expect(verdicts(await verified(path, file))).toEqual({ procedure_address: "confirmed", set_comment: "statement", analyze_function: "other_parameters" });
  });

  test("are not made again where that would write files", async () => {
    const place = directory();
    writeFileSync(join(place, "member.txt"), "member");
    const file = join(place, "list.tar");
    execFileSync("tar", ["-cf", file, "-C", place, "member.txt"]);
    const session = embeddedRuntime();
    const { output_root: output } = await result(session, "extract_artifact", { path: file });
    rmSync(output, { recursive: true, force: true });
    await result(session, "inspect_artifact", { path: file });
    const path = join(directory(), "bundle.json");
    await result(session, "export_evidence_bundle", { path });
    await session.close();
    expect(verdicts(await verified(path, file))).toEqual({ extract_artifact: "effect", inspect_artifact: "confirmed" });
  });

  test("stop at a cancel", async () => {
    const file = compiled(100);
    const path = await bundled(file);
    const session = embeddedRuntime();
    await result(session, "import_evidence_bundle", { path });
    await expect(rederiveBundle(session, { bundle: path, target: { path: file, sha256: null, provider: null } }, context(AbortSignal.abort()))).rejects.toMatchObject({ code: "cancelled" });
    await session.close();
  });
});

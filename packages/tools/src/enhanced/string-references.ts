import { omission, type CapabilityPorts } from "@rea/core";
import { failureAt } from "../composed/failure.js";
import type { StringMatch, TextHit, TextSearchCall } from "./text-search.js";

type Reference = StringMatch["references"][number];
type ReferencePorts = Pick<CapabilityPorts, "xrefs" | "resolve_containing_procedure">;

/** The code that refers to each string: one string after the other, so that the first answers are whole. */
export async function referencesOf(
  call: TextSearchCall,
  hits: readonly TextHit[],
  ports: ReferencePorts,
): Promise<StringMatch[]> {
  const matches: StringMatch[] = [];
  for (const string of hits) matches.push(await referencesOfOne(call, string, ports));
  const open = matches.filter((match) => !match.references_complete).length;
  if (open > 0) {
    const how_to_continue = "Raise max_operations, or call xrefs on the address of the string.";
    call.findings.omissions.push(
      omission("references", "limit_operations", { count: open, limit: call.budget.maximum, how_to_continue }),
    );
  }
  return matches;
}

async function referencesOfOne(call: TextSearchCall, string: TextHit, ports: ReferencePorts): Promise<StringMatch> {
  const { context, composition, budget, findings } = call;
  const { address } = string;
  const next_step = `Call xrefs with address ${address}.`;
  if (!budget.take()) {
    findings.questions.push({ question: `What refers to the string at ${address}?`, next_step });
    return { string, references: [], references_complete: false };
  }
  const page = await composition.attempt(() => ports.xrefs({ address, offset: 0, limit: 100 }, context));
  if (!page.ok) {
    findings.failures.push(failureAt(address, "xrefs", page.error));
    findings.questions.push({ question: `What refers to the string at ${address}?`, next_step });
    return { string, references: [], references_complete: false };
  }
  findings.omissions.push(...page.value.coverage.omissions);
  const references: Reference[] = [];
  for (const from of page.value.items) references.push(await containing(call, from, ports));
  if (page.value.has_more) {
    findings.questions.push({ question: `What else refers to the string at ${address}?`, next_step: `${next_step.slice(0, -1)} and offset 100.` });
  }
  const unexamined = references.filter((item) => item.status === "not_examined").length;
  if (unexamined > 0) {
    const question = `Which procedures contain ${String(unexamined)} of the references to the string at ${address}?`;
    findings.questions.push({ question, next_step: "Call resolve_containing_procedure on each, or raise max_operations." });
  }
  return { string, references, references_complete: unexamined === 0 && !page.value.has_more };
}

async function containing(call: TextSearchCall, address: string, ports: ReferencePorts): Promise<Reference> {
  const { context, composition, budget, findings } = call;
  if (!budget.take()) return { address, procedure: null, status: "not_examined" };
  const answer = await composition.attempt(() => ports.resolve_containing_procedure({ address }, context));
  if (!answer.ok) {
    findings.failures.push(failureAt(address, "resolve_containing_procedure", answer.error));
    return { address, procedure: null, status: "failed" };
  }
  const { value } = answer;
  return value.found
    ? { address, procedure: value.procedure, status: "in_procedure" }
    : { address, procedure: null, status: value.reason };
}

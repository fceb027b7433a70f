import { omission, type CapabilityPorts, type Confidence, type Omission } from "@rea/core";
import type { ToolContext } from "@rea/tool";
import type { Budget } from "../../composed/budget.js";
import type { Composition } from "../../composed/composition.js";
import { failureAt, type LocalFailure } from "../../composed/failure.js";
import { walkCalls } from "../call-walk.js";
import { namesOf } from "../node-names.js";
import type { Method } from "./handlers.js";
import type { UiGraph } from "./ui-graph.js";

export interface CallsQuestion {
  readonly composition: Composition;
  readonly ports: Pick<CapabilityPorts, "procedure_callees" | "address_name" | "list_names" | "xrefs" | "resolve_containing_procedure">;
  readonly context: ToolContext;
  readonly budget: Budget;
  readonly graph: UiGraph;
  readonly maxDepth: number;
}

const mostNodes = 150;
const mostFrontier = 200;
const mostReferrers = 20;

/** The code behind handlers: what they call, and who sends their selectors. */
export class HandlerCalls {
  readonly failures: LocalFailure[] = [];
  readonly frontier: { readonly address: string; readonly reason: string }[] = [];
  frontierTotal = 0;
  readonly #question: CallsQuestion;
  readonly #omissions: Omission[] = [];
  readonly #walked = new Set<string>();
  readonly #procedures: string[] = [];

  constructor(question: CallsQuestion) {
    this.#question = question;
  }

  omissions(): Omission[] {
    if (this.frontierTotal === 0) return this.#omissions;
    const how_to_continue = "Raise max_depth, or call trace_call_path with a frontier address as start.";
    return [...this.#omissions, omission("procedures", "not_examined", { count: this.frontierTotal, how_to_continue })];
  }

  /** Joins a message with a method and its code, and follows the calls; the id of the method. */
  async handler(message: string, { name, owner, implementation, confidence: found }: Method, joint: { readonly basis: string; readonly confidence: Confidence }): Promise<string> {
    const { graph } = this.#question;
    const id = graph.node({ id: `${name} ${implementation}`, kind: "method", name, class: owner, address: implementation });
    graph.join({ from: message, to: id, relation: "handled_by", ...joint });
    this.#procedure(implementation, 0);
    const basis = found === "derived" ? "Implementation that the runtime metadata names." : "Symbol that is named like the method.";
    graph.join({ from: id, to: implementation, relation: "implemented_at", basis, confidence: found === "derived" ? "observed" : found });
    await this.#follow(implementation);
    return id;
  }

  /** Procedures that refer to a selector, and so may send it. */
  async referrers(references: readonly { readonly node: string; readonly addresses: readonly string[] }[]): Promise<void> {
    const { composition, ports, context, budget, graph } = this.#question;
    if (!context.offers("xrefs") || !context.offers("resolve_containing_procedure")) return;
    for (const { node, addresses } of references) {
      for (const address of addresses) {
        if (!budget.take()) return;
        const page = await composition.attempt(() => ports.xrefs({ address, offset: 0, limit: mostReferrers }, context));
        if (!page.ok) continue;
        if (page.value.has_more) this.#omissions.push(omission("references to the selector", "limit_items", { limit: mostReferrers, how_to_continue: "Page xrefs of the selector reference." }));
        for (const from of page.value.items) {
          if (!budget.take()) return;
          const around = await composition.attempt(() => ports.resolve_containing_procedure({ address: from }, context));
          if (!around.ok || !around.value.found) continue;
          const procedure = this.#procedure(around.value.procedure.address, null);
          graph.join({ from: procedure, to: node, relation: "refers_to", basis: "The procedure reads the reference to the selector.", confidence: "derived" });
        }
      }
    }
  }

  /** Names the procedures while the budget lasts. */
  async name(): Promise<void> {
    const { composition, ports, context, budget, graph } = this.#question;
    const names = await namesOf(composition, this.#procedures, { ports, context, budget });
    for (const [address, name] of names) graph.rename(address, name);
  }

  #procedure(address: string, depth: number | null): string {
    const { graph } = this.#question;
    graph.node({ id: address, kind: "procedure", address, depth });
    if (!this.#procedures.includes(address)) this.#procedures.push(address);
    return address;
  }

  async #follow(start: string): Promise<void> {
    if (this.#walked.has(start)) return;
    this.#walked.add(start);
    const { composition, ports, context, budget, graph, maxDepth } = this.#question;
    const walk = await composition.local(() =>
      walkCalls(composition, {
        start,
        direction: "forward",
        maxDepth,
        maxNodes: mostNodes,
        budget,
        neighbours: (procedure, offset) => ports.procedure_callees({ procedure, offset, limit: 500 }, context),
        names: context.offers("list_names") ? (address) => ports.list_names({ address, offset: 0, limit: 10 }, context) : undefined,
      }),
    );
    if (!walk.ok) {
      this.failures.push(failureAt(start, "procedure_callees", walk.error));
      graph.unknown(start, "calls", "not_read", "The calls of the procedure could not be read.");
      return;
    }
    for (const { address, depth } of walk.value.nodes.values()) this.#procedure(address, depth);
    for (const { from, to } of walk.value.edges) graph.join({ from, to, relation: "calls", basis: "Resolved direct call.", confidence: "derived" });
    this.failures.push(...walk.value.failures);
    this.#omissions.push(...walk.value.omissions);
    this.frontierTotal += walk.value.frontier.length;
    this.frontier.push(...walk.value.frontier.slice(0, Math.max(0, mostFrontier - this.frontier.length)));
  }
}

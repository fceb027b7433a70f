import type { CapabilityPorts } from "@rea/core";
import type { ToolContext } from "@rea/tool";
import { neighbourOperation, type CallDirection, type CallWalk, type WalkOptions } from "./call-walk.js";

type Asked = Pick<CapabilityPorts, "procedure_callees" | "procedure_callers" | "list_names">;

/** What a walk asks the provider: calls in its direction, and names where the provider lists them. */
export function callQuestions(direction: CallDirection, ports: Asked, context: ToolContext): Pick<WalkOptions, "neighbours" | "names"> {
  const operation = neighbourOperation(direction);
  return {
    neighbours: (procedure, offset) => ports[operation]({ procedure, offset, limit: 500 }, context),
    names: context.offers("list_names") ? (address) => ports.list_names({ address, offset: 0, limit: 10 }, context) : undefined,
  };
}

/** The nodes of a walk as answers show them; null stands for a name that was not looked up, too. */
export function shownNodes(walk: CallWalk, names: ReadonlyMap<string, string | null>): { address: string; name: string | null; depth: number; expanded: boolean }[] {
  return [...walk.nodes.values()].map(({ address, depth, expanded }) => ({ address, name: names.get(address) ?? null, depth, expanded }));
}

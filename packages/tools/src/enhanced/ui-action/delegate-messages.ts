import type { OperationResult } from "@rea/core";
import type { HandlerCalls } from "./handler-calls.js";
import type { Handlers } from "./handlers.js";
import { messageId } from "./interface-seeds.js";
import type { UiGraph } from "./ui-graph.js";

type Outlet = OperationResult<"decode_interface_builder">["outlets"]["items"][number];

/** Outlets through which an object asks another one by the methods of a protocol. */
const asking: ReadonlySet<string> = new Set(["delegate", "dataSource"]);
const mostMethods = 40;

interface Joining {
  readonly handlers: Handlers;
  readonly graph: UiGraph;
  readonly calls: HandlerCalls;
}

/**
 * Joins the holder of a `delegate` or `dataSource` outlet with the methods that the object in it implements of the
 * protocols its class adopts. That the holder sends them is inferred: frameworks do, and only their code could prove it.
 */
export async function joinDelegates(outlets: readonly Outlet[], { handlers, graph, calls }: Joining): Promise<string[]> {
  const ids: string[] = [];
  for (const { source, destination, destination_class, name } of outlets) {
    if (source === null || destination === null || destination_class === null || name === null || !asking.has(name)) continue;
    const methods = await handlers.adoptedMethods(destination_class);
    for (const { selector, method } of methods.slice(0, mostMethods - ids.length)) {
      const node = graph.node({ id: messageId(destination, selector), kind: "message", name: selector });
      const sends = "The protocol that the class adopts declares the method, and the object is in the outlet.";
      graph.join({ from: source, to: node, relation: "sends", label: name, basis: sends, confidence: "inferred" });
      graph.join({ from: node, to: destination, relation: "received_by", basis: sends, confidence: "inferred" });
      ids.push(await calls.handler(node, method, { basis: "The receiver's class implements the selector.", confidence: method.confidence }));
    }
  }
  return ids;
}

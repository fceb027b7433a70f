import { fieldOf, listOf, referenceIn, textOf, type GraphObject, type ObjectGraph } from "./object-graph.js";

export type ConnectionKind = "outlet" | "outlet_collection" | "action" | "binding" | "other";

/**
 * How two objects are connected. Of an outlet `source` has the property and `destination` is put there; of an action
 * `source` sends and `destination` gets the message, null for whoever answers in the chain of responders.
 */
export interface InterfaceConnection {
  readonly index: number;
  readonly kind: ConnectionKind;
  readonly className: string;
  /** Name of the property, or selector of the message. */
  readonly label: string | null;
  readonly source: number | null;
  readonly destination: number | null;
  /** Events that send an action, as UIKit's mask; null where the archive names none. */
  readonly events: number | null;
  /** Of a binding: the key path that is observed. */
  readonly keyPath: string | null;
}

/** Lists that many connections share make more of them than there are bytes. */
const mostConnections = 50_000;

const kinds: { readonly [className: string]: ConnectionKind | undefined } = {
  NSNibOutletConnector: "outlet",
  NSIBOutletConnector: "outlet",
  NSNibOutletCollectionConnector: "outlet_collection",
  NSNibControlConnector: "action",
  NSNibAuxiliaryActionConnector: "action",
  NSNibBindingConnector: "binding",
  UIRuntimeOutletConnection: "outlet",
  UIRuntimeOutletCollectionConnection: "outlet_collection",
  UIRuntimeEventConnection: "action",
};

/** Connections in the order in which the nib makes them. */
export function connectionsOf(graph: ObjectGraph): readonly InterfaceConnection[] {
  const listed = ["NSConnections", "NSAccessibilityConnectors", "UINibConnectionsKey"].flatMap((key) => listOf(graph, fieldOf(graph.root, key)));
  const found: InterfaceConnection[] = [];
  for (const index of listed) {
    const object = graph.object(index);
    if (object !== undefined) found.push(...connection(graph, index, object).slice(0, mostConnections - found.length));
    if (found.length >= mostConnections) break;
  }
  return found;
}

function connection(graph: ObjectGraph, index: number, { className, fields }: GraphObject): readonly InterfaceConnection[] {
  const known = className ?? "";
  const made = known.startsWith("UI") ? "UI" : "NS";
  const kind = kinds[known] ?? "other";
  const events = fieldOf(fields, "UIEventMask");
  const label = textOf(graph, fieldOf(fields, `${made}Label`)) ?? textOf(graph, fieldOf(fields, "NSBinding"));
  const source = referenceIn(fields, `${made}Source`) ?? referenceIn(fields, "NSObject") ?? null;
  const shared = {
    index,
    kind,
    className: known,
    label: label ?? null,
    source,
    events: events?.kind === "number" && Number.isSafeInteger(events.value) ? events.value >>> 0 : null,
    keyPath: textOf(graph, fieldOf(fields, "NSKeyPath")) ?? null,
  };
  const destination = fieldOf(fields, `${made}Destination`);
  const several = kind === "outlet_collection" ? listOf(graph, destination).slice(0, mostConnections) : [];
  if (several.length > 0) return several.map((one) => ({ ...shared, destination: one }));
  return [{ ...shared, destination: destination?.kind === "reference" ? destination.index : null }];
}

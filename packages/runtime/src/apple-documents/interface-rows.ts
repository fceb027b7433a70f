import { escapeUntrusted, omission, truncateCodePoints, type Omission, type OperationParams, type OperationResult } from "@rea/core";
import type { ArtifactDocument, InterfaceConnection, InterfaceDocument, InterfaceObject } from "@rea/artifact";
import { boundedList, shownDocument } from "./document-answer.js";
import { eventNames } from "./uikit-events.js";

type Result = OperationResult<"decode_interface_builder">;
type Bounds = Pick<OperationParams<"decode_interface_builder">, "max_objects" | "max_connections">;
type Lists = Pick<Result, "objects" | "outlets" | "actions" | "segues" | "other_connections">;

export interface DecodedNib {
  readonly document: ArtifactDocument;
  readonly decoded: InterfaceDocument;
}

const mostAnomalies = 20;
const longestText = 1024;

/** Objects and connections of all documents as result rows, inside the bounds of the call. */
export class InterfaceRows {
  readonly omissions: Omission[] = [];
  readonly #nibs: readonly DecodedNib[];
  readonly #bounds: Bounds;

  constructor(nibs: readonly DecodedNib[], bounds: Bounds) {
    this.#nibs = nibs;
    this.#bounds = bounds;
    const objects = nibs.reduce((sum, { decoded }) => sum + decoded.objects.length, 0);
    const connections = nibs.reduce((sum, { decoded }) => sum + decoded.connections.length, 0);
    this.#noteBound("Objects beyond the bound.", objects, { name: "max_objects", limit: bounds.max_objects });
    this.#noteBound("Connections beyond the bound.", connections, { name: "max_connections", limit: bounds.max_connections });
    const damaged = nibs.filter(({ decoded }) => decoded.findings.length > 0).length;
    if (damaged > 0) this.omissions.push(omission("Damaged documents; what follows the damage is missing.", "malformed", { count: damaged }));
  }

  document({ document, decoded }: DecodedNib): Result["documents"][number] {
    const { encoding, version, framework, archivedObjects, objects, connections, findings } = decoded;
    const storyboard = /^(.*\.storyboardc)\//iu.exec(document.logicalPath)?.[1] ?? null;
    const anomalies = findings.map(({ problem, offset, detail }) => ({ anomaly: problem, offset, detail }));
    return {
      ...shownDocument(document),
      encoding,
      version: version === null ? null : shown(version),
      framework,
      storyboard,
      archived_objects: archivedObjects,
      objects: objects.length,
      connections: connections.length,
      anomalies: boundedList(anomalies, mostAnomalies),
    };
  }

  lists(): Lists {
    const connections = this.#nibs
      .flatMap((nib) => nib.decoded.connections.map((connection) => ({ nib, connection })))
      .slice(0, this.#bounds.max_connections);
    const of = (...kinds: readonly InterfaceConnection["kind"][]) => connections.filter(({ connection }) => kinds.includes(connection.kind));
    return {
      objects: cutTo(this.#objectRows(), this.#bounds.max_objects),
      outlets: whole(of("outlet", "outlet_collection").map(outletRow)),
      actions: whole(of("action").map(actionRow)),
      segues: whole(this.#nibs.flatMap(segueRows).slice(0, this.#bounds.max_connections)),
      other_connections: whole(of("binding", "other").map(otherRow)),
    };
  }

  #objectRows(): Result["objects"]["items"] {
    return this.#nibs.flatMap(({ document, decoded }) => decoded.objects.map((object) => objectRow(document, object)));
  }

  #noteBound(scope: string, total: number, { name, limit }: { readonly name: string; readonly limit: number }): void {
    if (total <= limit) return;
    const how_to_continue = `Call again with a greater ${name}, or for one document.`;
    this.omissions.push(omission(scope, "limit_items", { count: total - limit, limit, how_to_continue }));
  }
}

interface Row {
  readonly nib: DecodedNib;
  readonly connection: InterfaceConnection;
}

function idOf({ logicalPath }: ArtifactDocument, index: number): string {
  return `${logicalPath}#${String(index)}`;
}

function objectRow(document: ArtifactDocument, object: InterfaceObject): Result["objects"]["items"][number] {
  return {
    id: idOf(document, object.index),
    document: document.logicalPath,
    index: object.index,
    oid: object.oid,
    class: shownOrNull(object.className),
    custom_class: shownOrNull(object.customClass),
    role: object.role,
    label: shownOrNull(object.label),
    parent: object.parent === null ? null : idOf(document, object.parent),
  };
}

function endsOf({ nib: { document, decoded }, connection: { source, destination } }: Row) {
  const classOf = (index: number | null) => {
    const object = index === null ? undefined : objectsOf(decoded).get(index);
    return shownOrNull(object?.customClass ?? object?.className ?? null);
  };
  return {
    document: document.logicalPath,
    source: source === null ? null : idOf(document, source),
    source_class: classOf(source),
    destination: destination === null ? null : idOf(document, destination),
    destination_class: classOf(destination),
  };
}

const byNumber = new WeakMap<InterfaceDocument, ReadonlyMap<number, InterfaceObject>>();

function objectsOf(decoded: InterfaceDocument): ReadonlyMap<number, InterfaceObject> {
  const known = byNumber.get(decoded) ?? new Map(decoded.objects.map((object) => [object.index, object]));
  byNumber.set(decoded, known);
  return known;
}

function outletRow(row: Row): Result["outlets"]["items"][number] {
  return { ...endsOf(row), name: shownOrNull(row.connection.label), collection: row.connection.kind === "outlet_collection" };
}

function actionRow(row: Row): Result["actions"]["items"][number] {
  const { label, events } = row.connection;
  return { ...endsOf(row), selector: shownOrNull(label), events: events === null ? [] : eventNames(events) };
}

function otherRow(row: Row): Result["other_connections"]["items"][number] {
  const { className, label, keyPath } = row.connection;
  return { ...endsOf(row), class: shown(className), name: shownOrNull(label), key_path: shownOrNull(keyPath) };
}

function segueRows({ document, decoded }: DecodedNib): Result["segues"]["items"] {
  return decoded.segues.map(({ index, className, identifier, source, destination, action }) => ({
    document: document.logicalPath,
    id: idOf(document, index),
    class: shown(className),
    identifier: shownOrNull(identifier),
    source: source === null ? null : idOf(document, source),
    destination_scene: shownOrNull(destination),
    action: shownOrNull(action),
  }));
}

function whole<T>(items: readonly T[]) {
  return cutTo(items, items.length);
}

function cutTo<T>(items: readonly T[], most: number) {
  const kept = items.slice(0, most);
  return { items: [...kept], returned: kept.length, total: items.length, truncated: kept.length < items.length };
}

/** A cut shows as an ellipsis. */
export function shown(text: string): string {
  const { text: kept, truncated } = truncateCodePoints(text, longestText);
  return truncated ? `${escapeUntrusted(kept)}…` : escapeUntrusted(kept);
}

export function shownOrNull(text: string | null): string | null {
  return text === null ? null : shown(text);
}

import { connectionsOf, type InterfaceConnection } from "./connections.js";
import { interfaceObjects, type InterfaceObject } from "./interface-objects.js";
import { readKeyedNib } from "./keyed-graph.js";
import { isNibArchive, readNibArchive } from "./nib-archive.js";
import { fieldOf, isCut, type NibEncoding, type NibFinding, type ObjectGraph } from "./object-graph.js";
import { seguesOf, type InterfaceSegue } from "./segues.js";

/** What a compiled nib holds: objects, and how they are connected. */
export interface InterfaceDocument {
  readonly encoding: NibEncoding;
  readonly version: string | null;
  readonly framework: "appkit" | "uikit" | null;
  /** Objects of the archive, strings and lists among them. */
  readonly archivedObjects: number;
  readonly objects: readonly InterfaceObject[];
  readonly connections: readonly InterfaceConnection[];
  readonly segues: readonly InterfaceSegue[];
  readonly findings: readonly NibFinding[];
}

/** Why the bytes of a nib cannot be decoded. */
export type UndecodedNib = "typed_stream" | "source_document" | "not_an_archive" | "no_object_data";

/** Decodes a compiled nib of either archive; a reason for bytes that are none. Never throws for damage. */
export function readInterfaceDocument(bytes: Uint8Array): InterfaceDocument | UndecodedNib {
  const graph = isNibArchive(bytes) ? readNibArchive(bytes) : readKeyedNib(bytes);
  if (graph === undefined) return undecoded(bytes);
  const framework = frameworkOf(graph);
  if (framework === null && graph.findings.length === 0) return "no_object_data";
  const connections = connectionsOf(graph);
  const objects = interfaceObjects(graph, connections);
  const segues = seguesOf(graph);
  const cut = { problem: "too_many", detail: "Objects hold more fields and lists than are read, so some of them are missing.", offset: null };
  return {
    encoding: graph.encoding,
    version: graph.version,
    framework,
    archivedObjects: graph.count,
    objects,
    connections,
    segues,
    findings: isCut(graph) ? [...graph.findings, cut] : graph.findings,
  };
}

function frameworkOf({ root }: ObjectGraph): InterfaceDocument["framework"] {
  if (fieldOf(root, "NSConnections") !== undefined || fieldOf(root, "NSObjectsKeys") !== undefined || fieldOf(root, "NSRoot") !== undefined) return "appkit";
  const uikit = root.some(({ key }) => key.startsWith("UINib"));
  return uikit ? "uikit" : null;
}

function undecoded(bytes: Uint8Array): UndecodedNib {
  const head = Buffer.from(bytes.subarray(0, 512)).toString("latin1");
  // NeXT's typed streams: a version, the length of the word and the word.
  if (/^[\s\S]{1,3}streamtyped/.test(head)) return "typed_stream";
  return /<(?:document|archive)\b/.test(head) ? "source_document" : "not_an_archive";
}

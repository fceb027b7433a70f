import { escapeUntrusted, unescapeUntrusted, type ApplicationGraph, type ApplicationNode, type RuntimeMapping, type StaticLayerRole } from "@rea/core";
import { contentDigest, GraphSide, textProperty } from "../graph-side.js";

export interface LayerInput {
  readonly graph: ApplicationGraph;
  readonly graphSha256: string;
  readonly rootSha256: string | null;
  readonly evidenceId: string;
  /** Name of the directory or file that the layer was read from: addresses have it, too. */
  readonly name: string | null;
  readonly role: StaticLayerRole;
  readonly mappings: readonly RuntimeMapping[];
}

/** A file of a layer that a script can be. */
export interface LayerAsset {
  readonly layer: StaticLayer;
  readonly node: ApplicationNode;
  readonly sha256: string | undefined;
}

export interface Locations {
  /** Files that an address stands for, by a mapping or by the whole of its path. */
  readonly certain: readonly LayerAsset[];
  /** Files whose path its end is. */
  readonly likely: readonly LayerAsset[];
}

/** One analysed part of what runs: the application, a cache of it, or its assets. */
export class StaticLayer {
  readonly index: number;
  readonly input: LayerInput;
  readonly side: GraphSide;
  readonly assets: readonly LayerAsset[];
  readonly #byPath: ReadonlyMap<string, LayerAsset>;
  readonly #rootName: string;

  constructor(index: number, input: LayerInput) {
    this.index = index;
    this.input = input;
    this.side = new GraphSide(input.graph);
    const files = input.graph.nodes.filter((node) => node.kind === "javascript-asset" && textProperty(node, "language") !== "html");
    this.assets = files.map((node) => ({ layer: this, node, sha256: contentDigest(node) }));
    this.#rootName = input.name ?? "";
    this.#byPath = new Map(this.assets.map((asset) => [plainPath(unescapeUntrusted(this.#nameOf(asset))), asset]));
  }

  /** The file that is the whole layer has no name of its own there; addresses have that of the file. */
  #nameOf({ node, sha256 }: LayerAsset): string {
    const isWhole = sha256 !== undefined && sha256 === this.input.rootSha256 && this.input.name !== null;
    return isWhole ? this.#rootName : node.name;
  }

  /** Where an address of a script leads in this layer. */
  locations(address: string): Locations {
    const mapped = this.input.mappings.flatMap(({ runtime_prefix, static_prefix }) => {
      if (!address.startsWith(runtime_prefix)) return [];
      return this.#byPath.get(plainPath(static_prefix + decoded(address.slice(runtime_prefix.length)))) ?? [];
    });
    if (mapped.length > 0) return { certain: mapped, likely: [] };
    const segments = pathSegments(address);
    for (let at = 0; at < segments.length; at += 1) {
      const asset = this.#byPath.get(segments.slice(at).join("/"));
      if (asset === undefined) continue;
      const above = segments[at - 1];
      const isWhole = above === undefined || escapeUntrusted(above) === this.#rootName || above.endsWith(".asar");
      return isWhole ? { certain: [asset], likely: [] } : { certain: [], likely: [asset] };
    }
    return { certain: [], likely: [] };
  }
}

/** Containers inside a path count as directories, as addresses have them. */
function plainPath(path: string): string {
  return path.replaceAll("!/", "/").replace(/^\/+/u, "");
}

function pathSegments(address: string): readonly string[] {
  const path = /^[a-z][\w+.-]*:(?:\/\/[^/?#]*)?([^?#]*)/iu.exec(address)?.[1] ?? address.replace(/[?#].*$/su, "");
  return decoded(path).split("/").filter((segment) => segment !== "" && segment !== ".");
}

function decoded(path: string): string {
  const plain = path.replace(/[?#].*$/su, "");
  try {
    return decodeURIComponent(plain);
  } catch {
    // A stray percent sign stands for itself.
    return plain;
  }
}

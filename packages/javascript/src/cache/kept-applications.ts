import { basename } from "node:path";
import { openArtifact, readContents, type Inventory } from "@rea/artifact";
import { canonicalSha256, type OperationContext } from "@rea/core";
import type { AnalysisRequest } from "../application/analysis-request.js";
import type { ApplicationLimits } from "../application/application-files.js";
import type { Text } from "../text/decode.js";
import type { FactCache } from "./fact-cache.js";

/** An analysis as it is kept. */
export interface KeptApplication {
  /** Everything but the graphs, as JSON. */
  readonly analysis: string;
  /** Text of the application graph. */
  readonly graph: Text;
}

interface Keeping {
  readonly cache: FactCache;
  readonly request: AnalysisRequest;
  readonly limits: ApplicationLimits;
}

/**
 * Whole analyses of earlier runs. One is used when the input, hashed again from its first byte to its last, has the inventory
 * that it had then. That an analysis of a path is kept only decides whether hashing comes first; nothing is believed of it.
 */
export class KeptApplications {
  readonly #keeping: Keeping;
  readonly #hint: string;

  constructor(keeping: Keeping) {
    this.#keeping = keeping;
    this.#hint = `application-at ${canonicalSha256({ path: keeping.request.path, ...this.#options() })}`;
  }

  /** What was kept of the same content; undefined when nothing was, or the content is another now. */
  async find({ signal, progress }: OperationContext): Promise<KeptApplication | undefined> {
    const { cache, request, limits } = this.#keeping;
    if (!cache.has(this.#hint)) return undefined;
    const artifact = openArtifact(request.path);
    try {
      const inventory = await readContents(artifact, {
        operation: "analyze_javascript_application",
        integrityPolicy: request.integrityPolicy,
        signal,
        progress,
        limits: { maxEntries: limits.entries, maxTotalBytes: limits.artifactBytes, maxEntryBytes: limits.entryBytes },
        wants: () => undefined,
        take: () => undefined,
        leave: () => undefined,
      });
      const key = this.#key(inventory);
      return key === undefined ? undefined : this.#kept(key);
    } finally {
      artifact.close();
    }
  }

  /** Keeps an analysis of what was read. */
  put(inventory: Inventory, { analysis, graph }: KeptApplication): void {
    const key = this.#key(inventory);
    if (key !== undefined) this.#keeping.cache.put(new Map<string, string | Uint8Array>([[this.#hint, ""], [key, analysis], [graphKey(key), graph]]));
  }

  #kept(key: string): KeptApplication | undefined {
    const { cache } = this.#keeping;
    const analysis = cache.get(key);
    const graph = analysis === undefined ? undefined : cache.text(graphKey(key));
    return analysis === undefined || graph === undefined ? undefined : { analysis, graph };
  }

  /** Undefined for what has no digest, so that nothing shows that it is the same. */
  #key({ manifest, omissions }: Inventory): string | undefined {
    if (manifest.root_sha256 === null) return undefined;
    // A single file is named in its analysis.
    const name = manifest.root_format === "directory" ? "" : basename(this.#keeping.request.path);
    return `application ${canonicalSha256({ name, manifest_id: manifest.manifest_id, root_sha256: manifest.root_sha256, omissions, ...this.#options() })}`;
  }

  #options() {
    const { request, limits } = this.#keeping;
    return { format: request.format, inner_path: request.innerPath, integrity_policy: request.integrityPolicy, limits: { ...limits } };
  }
}

function graphKey(key: string): string {
  return `${key} graph`;
}

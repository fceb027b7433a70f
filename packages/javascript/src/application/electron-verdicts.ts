import { openArtifact, verify, type ElectronVerdict, type IntegrityPolicy, type Inventory } from "@rea/artifact";
import type { ProgressReporter } from "@rea/core";

interface Verifying {
  readonly path: string;
  readonly inventory: Inventory;
  readonly integrityPolicy: IntegrityPolicy;
  readonly limits: { readonly maxEntries: number; readonly maxTotalBytes: number; readonly maxEntryBytes: number };
  readonly signal: AbortSignal;
  readonly progress: ProgressReporter;
}

/**
 * What Electron's fuses and the declared hashes say of the archives in an application. Programs are looked at only when
 * one stands beside an archive; that reads the input a second time.
 */
export async function electronVerdicts({ path, inventory, integrityPolicy, limits, signal, progress }: Verifying): Promise<readonly ElectronVerdict[]> {
  const { occurrences } = inventory.graph;
  const hasArchive = occurrences.some(({ artifact_format, logical_path }) => artifact_format === "asar" && logical_path !== ".");
  const hasProgram = occurrences.some(({ artifact_kind, entry_kind }) => entry_kind === "file" && artifact_kind === "executable");
  if (!hasArchive || !hasProgram) return [];
  const artifact = openArtifact(path);
  try {
    return (await verify(artifact, { integrityPolicy, limits, signal, progress })).electron;
  } finally {
    artifact.close();
  }
}

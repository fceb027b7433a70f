import type { Anomaly } from "@rea/artifact";

/** Anomalies of the last inventory, of which a record holds only the first few. */
export interface KeptAnomalies {
  keep(manifestId: string, anomalies: readonly Anomaly[]): void;
  of(manifestId: string): readonly Anomaly[] | undefined;
}

/** Keeps those of one inventory: a document is made right after its inspection, and a hostile archive has many. */
export function keepAnomalies(): KeptAnomalies {
  let last: { readonly manifestId: string; readonly anomalies: readonly Anomaly[] } | undefined;
  return {
    keep: (manifestId, anomalies) => {
      last = { manifestId, anomalies };
    },
    of: (manifestId) => (last?.manifestId === manifestId ? last.anomalies : undefined),
  };
}

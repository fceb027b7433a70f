/** One thing that was looked at. A check that is not ok names one remedy that can be pasted. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly classification: "healthy" | "missing_dependency" | "unsupported_host" | "missing_analysis_engine" | "config_drift";
  readonly detail: string;
  readonly remediation: string | null;
}

export function healthy(name: string, detail: string): Check {
  return { name, ok: true, classification: "healthy", detail, remediation: null };
}

export function finding(name: string, classification: Exclude<Check["classification"], "healthy">, detail: string, remediation: string): Check {
  return { name, ok: false, classification, detail, remediation };
}

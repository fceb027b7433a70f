/** What comparison and verification commands take, as `git diff` does. */
export const exitCodeOption = {
  "exit-code": { type: "boolean", describe: "Exit with 0 when equal or passed, 1 when different or failed, 3 when unknown", default: false },
} as const;

/** The exit status of a verdict under `--exit-code`. */
export function verdictStatus(verdict: "equal" | "different" | "unknown"): number {
  switch (verdict) {
    case "equal":
      return 0;
    case "different":
      return 1;
    case "unknown":
      return 3;
  }
}

import { finding, healthy, type Check } from "./check.js";
import type { SessionDescription } from "./description.js";

type Candidate = SessionDescription["analysis_provider_candidates"][number];

/** One check for each analysis provider, and one for an id that none has. */
export function engineChecks({ analysis_provider_candidates: candidates }: SessionDescription, named: string | undefined): readonly Check[] {
  const checks = candidates.map(({ provider, availability }) => {
    const name = `engine:${provider.id}`;
    const version = provider.version === null ? "" : ` ${provider.version}`;
    if (availability.status === "available") return healthy(name, `${provider.name}${version} can be used.`);
    return finding(name, "missing_analysis_engine", `${provider.name} cannot be used: ${availability.reason ?? availability.code ?? "unknown"}`, remedyOf(availability));
  });
  if (named === undefined || named === "auto" || candidates.some(({ provider }) => provider.id === named)) return checks;
  const ids = candidates.map(({ provider }) => provider.id).join(", ");
  return [...checks, finding("engine:named", "missing_analysis_engine", `There is no provider of this id; there are ${ids}.`, "rea providers")];
}

/** What a setting has to name, as an example that can be pasted and corrected. */
const examples: { readonly [setting: string]: string | undefined } = {
  GHIDRA_INSTALL_DIR: "/opt/ghidra_12.1_PUBLIC",
  JAVA_HOME: "/usr/lib/jvm/java-21-openjdk-amd64",
  HOPPER_LAUNCHER_PATH: "/opt/hopper/bin/Hopper",
};

/** The provider says which setting or program it lacks. */
function remedyOf({ code, diagnostics }: Candidate["availability"]): string {
  const { setting, program } = diagnostics;
  if (program === "Xvfb") return "sudo apt-get install xvfb";
  if (typeof setting !== "string") return "rea providers";
  const example = examples[setting];
  return code === "open_options_invalid" || example === undefined ? `unset ${setting}` : `export ${setting}=${example}`;
}

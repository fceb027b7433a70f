import { ReaError, type BrowserScenario, type InputIssue } from "@rea/core";
import { originOf, requireOrigins } from "../targets/origins.js";
import { isCredentialName } from "../targets/shown-url.js";
import { isCredentialHeader } from "./page-words.js";

/**
 * What the grammar cannot say: origins are exact, no `goto` leads where requests are aborted, and no credential stands in a URL
 * or header. Throws `invalid_request`.
 */
export function checkScenario(scenario: BrowserScenario, operation: string): void {
  if (scenario.allowed_origins !== undefined) requireOrigins(scenario.allowed_origins, operation);
  const { actions, allowed_origins: allowed, storage_seed: seed, request_replay: replay } = scenario;
  const issues: InputIssue[] = [];
  const checkUrl = (path: string, url: string): void => {
    if (!URL.canParse(url)) issues.push({ path, reason: "invalid_format", expected: "a URL" });
    else if (carriesCredential(new URL(url))) issues.push({ path, reason: "invalid_value", expected: "a URL without user, password or a parameter named like a credential" });
  };
  actions.forEach((action, index) => {
    if (action.type !== "goto") return;
    const path = `scenario.actions[${String(index)}].url`;
    checkUrl(path, action.url);
    if (allowed !== undefined && !allowed.includes(originOf(action.url))) issues.push({ path, reason: "invalid_value", expected: "a URL of one of the allowed_origins" });
  });
  replay?.responses.forEach(({ url, headers }, index) => {
    checkUrl(`scenario.request_replay.responses[${String(index)}].url`, url);
    headers.forEach(({ name }, position) => {
      if (isCredentialHeader(name)) issues.push({ path: `scenario.request_replay.responses[${String(index)}].headers[${String(position)}].name`, reason: "invalid_value", expected: "a header that carries no credential" });
    });
  });
  seed?.cookies.forEach(({ url }, index) => checkUrl(`scenario.storage_seed.cookies[${String(index)}].url`, url));
  for (const list of ["local", "session"] as const) {
    seed?.[list].forEach(({ origin }, index) => {
      if (origin !== originOf(origin)) issues.push({ path: `scenario.storage_seed.${list}[${String(index)}].origin`, reason: "invalid_format", expected: "an exact origin such as https://example.org" });
    });
  }
  if (issues.length === 0) return;
  throw new ReaError("invalid_request", {
    message: `${operation} cannot use this scenario: ${issues.slice(0, 4).map(({ path, expected }) => `${path} (expected ${expected ?? ""})`).join("; ")}. Correct it and call again.`,
    details: { operation, issues: issues.slice(0, 32) },
  });
}

function carriesCredential(url: URL): boolean {
  if (url.username !== "" || url.password !== "") return true;
  return [...url.searchParams.keys(), ...new URLSearchParams(url.hash.replace(/^#/, "")).keys()].some((name) => isCredentialName(name));
}

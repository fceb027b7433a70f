import { accessSync, constants, realpathSync } from "node:fs";
import { delimiter } from "node:path";
import type { JsonObject } from "@rea/core";
import { inspectFile } from "../files/inspect-file.js";
import { modelRules } from "../models/model-rules.js";
import { modelViolations } from "../models/model-violations.js";
import type { PlanHost } from "../setup/plan-client.js";
import { skillPath } from "../skill/skill-plan.js";
import { expectedSkill } from "../skill/expected-skill.js";
import { setting } from "../table/client-host.js";
import { detectedClients } from "../table/discover.js";
import { clientById, type ClientId } from "../table/clients.js";
import { finding, healthy, type Check } from "./check.js";
import { engineChecks } from "./engine-checks.js";
import { sessionDescription, type SessionDescription } from "./description.js";
import { programsInPath, resolveCommand } from "./find-program.js";
import { hostFacts, type HostFact } from "./host-facts.js";
import { probeCheck, probeRegistration, type Probe } from "./probe.js";
import { registrationOf, type Registration } from "./registrations.js";
import { settingChecks, variablesSet } from "./settings.js";

export interface DoctorRequest extends PlanHost {
  /** The array that `tools/list` answers with. */
  readonly catalogue: readonly JsonObject[];
  /** Result of `binary_session` in this process. */
  readonly description: JsonObject;
  readonly clients: readonly ClientId[];
  readonly provider: string | undefined;
  readonly target: string | undefined;
  readonly skill: boolean;
  /** Start what is registered. */
  readonly probe: boolean;
  readonly signal: AbortSignal;
}

export type DoctorReport = Awaited<ReturnType<typeof doctor>>;

/**
 * Looks at everything between this installation and an answer in a client. Changes nothing, starts no engine, and starts
 * the registered servers only when asked to.
 */
export async function doctor(request: DoctorRequest) {
  const description = sessionDescription(request.description);
  const detected = detectedClients(request.host).map(({ id }) => id);
  const registrations = [...new Set([...detected, ...request.clients])].sort().map((id) => registrationOf(id, request));
  const facts = hostFacts(request.host);
  const probes = request.probe ? await probeAll(registrations, request, description) : [];
  const skill = skillState(request);
  const parts = { request, description, registrations, facts, probes, skill };
  const checks = [...coreChecks(request), ...settingChecks(request.host.env), ...engineChecks(description, request.provider), ...clientChecks(parts), ...factChecks(facts), ...targetChecks(request)];
  const deciding = new Set(checks.filter((check) => decides(check, parts)).map(({ name }) => name));
  const scope_checks = checks.filter(({ name }) => deciding.has(name));
  return {
    healthy: scope_checks.every(({ ok }) => ok),
    environment_healthy: checks.filter(({ name }) => isEnvironment(name)).every(({ ok }) => ok),
    scope: scopeOf(request),
    scope_checks: scope_checks.map(({ name }) => name),
    informational_checks: checks.filter(({ name }) => !deciding.has(name)).map(({ name }) => name),
    checks,
    provider_inspections: description.analysis_provider_candidates.map(({ provider, availability }) => ({ ...provider, ...availability })),
    host_facts: facts,
    probes,
    identity: {
      cli_version: request.installation.package_version,
      expected_skill_version: request.installation.package_version,
      sdk: description.server_identity.sdk,
      catalog: description.server_identity.catalog,
      live_server: { state: "unknown" as const },
      installations: installationsOf(request),
      skill,
      registrations: registrations.map(({ start: _start, ...shown }) => shown),
      runtime_executables: runtimesOf(registrations, request),
      path: (request.host.env["PATH"] ?? "").split(delimiter),
      variables: variablesSet(request.host.env),
    },
  };
}

interface Parts {
  readonly request: DoctorRequest;
  readonly description: SessionDescription;
  readonly registrations: readonly Registration[];
  readonly facts: readonly HostFact[];
  readonly probes: readonly Probe[];
  readonly skill: ReturnType<typeof skillState>;
}

async function probeAll(registrations: readonly Registration[], request: DoctorRequest, description: SessionDescription): Promise<readonly Probe[]> {
  const expectations = {
    expected_package_version: request.installation.package_version,
    expected_catalog_digest: description.server_identity.catalog.combined_sha256,
  };
  const found: Probe[] = [];
  for (const registration of registrations) {
    const probe = await probeRegistration(registration, request, { signal: request.signal, expectations });
    if (probe !== null) found.push(probe);
  }
  return found;
}

function coreChecks({ catalogue }: DoctorRequest): Check[] {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const recent = major > 20 || (major === 20 && minor >= 19);
  const runtime = recent
    ? healthy("runtime", `Node ${process.versions.node} at ${process.execPath}.`)
    : finding("runtime", "missing_dependency", `Node ${process.versions.node} is older than 20.19.`, "npm install --global node@20");
  const broken = modelRules.flatMap((rules) => modelViolations(rules, catalogue).map((text) => `${rules.label}: ${text}`));
  const [first] = broken;
  const schemas = first === undefined
    ? healthy("schemas", `All ${String(catalogue.length)} tools meet the rules of ${modelRules.map(({ label }) => label).join(", ")}.`)
    : finding("schemas", "config_drift", first, "Use rea mcp --facade for this model, and report the sentence above.");
  return [runtime, schemas];
}

function clientChecks({ registrations, probes, skill, request }: Parts): Check[] {
  const found = registrations.map((registration) => {
    const name = `registration:${registration.client}`;
    const detail = `${registration.label}: ${registration.detail}`;
    return registration.state === "aligned" ? healthy(name, detail) : finding(name, "config_drift", detail, registration.remediation ?? `rea setup --client ${registration.client}`);
  });
  const known = registrations.find(({ start }) => start !== null);
  const file = skill.state === "aligned" ? healthy("skill", `The skill file is of this version.`) : finding("skill", "config_drift", `The skill file is ${skill.state}.`, `rea setup${known === undefined ? "" : ` --client ${known.client} --yes`}`);
  const schemas = registrations.map(({ client }) => schemaCheck(client, request));
  const [first, ...others] = installationsOf(request).paths;
  const installations = others.length === 0 ? healthy("installations", `One installation${first === undefined ? "" : `: ${first}`}.`) : finding("installations", "config_drift", `There are several installations: ${[first, ...others].join(", ")}.`, "type -a rea");
  return [...found, ...schemas, ...probes.map(probeCheck), file, installations];
}

/** Whether a client's models take every tool that is listed. */
function schemaCheck(id: ClientId, { catalogue }: DoctorRequest): Check {
  const { label, models } = clientById(id);
  const rules = modelRules.filter((rule) => models.includes(rule.id));
  const [first] = rules.flatMap((rule) => modelViolations(rule, catalogue).map((text) => `${rule.label}: ${text}`));
  if (first !== undefined) return finding(`schemas:${id}`, "config_drift", `${label}: ${first}`, "rea mcp doctor");
  return healthy(`schemas:${id}`, `${label}: all tools meet the rules of ${rules.map((rule) => rule.label).join(", ")}.`);
}

function factChecks(facts: readonly HostFact[]): Check[] {
  return facts.map(({ name, available, detail, remediation }) =>
    available || remediation === null ? healthy(`host:${name}`, detail) : finding(`host:${name}`, kindOf(name), detail, remediation),
  );
}

function kindOf(name: HostFact["name"]): "unsupported_host" | "missing_dependency" {
  return name === "namespaces" || name === "cgroup_delegation" || name === "pty" ? "unsupported_host" : "missing_dependency";
}

function targetChecks({ target }: DoctorRequest): Check[] {
  if (target === undefined) return [];
  try {
    accessSync(target, constants.R_OK);
    return [healthy("target", "The target can be read.")];
  } catch {
    return [finding("target", "config_drift", "The target is missing or cannot be read.", `ls -ld '${target.replaceAll("'", "'\\''")}'`)];
  }
}

/** Whether a check decides about health: the core and the embedded engine always, an external engine when it is asked for or configured, the rest by what was named. */
function decides({ name }: Check, { request, registrations }: Parts): boolean {
  const { clients, provider, skill, target } = request;
  const explicit = clients.length > 0 || provider !== undefined || skill || target !== undefined;
  if (name === "runtime" || name === "schemas" || name === "engine:rea-native") return true;
  if (name === "target" || name === "engine:named") return true;
  const [kind, subject = ""] = name.split(":");
  if (kind === "engine") return subject === provider || (!explicit && isConfigured(subject, request));
  if (kind === "setting") return true;
  if (kind === "schemas") return clients.some((id) => id === subject);
  if (kind === "registration" || kind === "probe") {
    if (explicit) return clients.some((id) => id === subject);
    return kind === "probe" || registrations.some(({ client, state }) => client === subject && (state === "stale" || state === "invalid"));
  }
  return name === "skill" && skill;
}

function isConfigured(id: string, { host }: DoctorRequest): boolean {
  const variable = id === "hopper" ? "HOPPER_LAUNCHER_PATH" : id === "ghidra" ? "GHIDRA_INSTALL_DIR" : undefined;
  return setting(host.env, "REA_ANALYSIS_PROVIDER") === id || (variable !== undefined && setting(host.env, variable) !== undefined);
}

function isEnvironment(name: string): boolean {
  return name === "runtime" || name === "schemas" || name === "engine:rea-native" || name.startsWith("setting:");
}

function scopeOf({ clients, provider, skill, target }: DoctorRequest) {
  const explicit = clients.length > 0 || provider !== undefined || skill || target !== undefined;
  return { mode: explicit ? ("explicit" as const) : ("audit-wide" as const), clients, providers: provider === undefined ? [] : [provider], skill, target: target ?? null };
}

function skillState({ host, installation, catalogue, description }: DoctorRequest) {
  const path = skillPath(host);
  const file = inspectFile(path, host.uid);
  if (file.state === "absent") return { state: "missing" as const, path };
  const expected = expectedSkill({ installation, catalogue, description });
  const aligned = file.state === "present" && file.bytes.toString("utf8") === expected;
  return { state: aligned ? ("aligned" as const) : ("stale" as const), path };
}

/** This installation and every `rea` in PATH, each by its real path once. */
function installationsOf({ host, installation }: PlanHost) {
  const paths = [...new Set([installation.cli_path, ...programsInPath("rea", host.env["PATH"]).map(realPath)])];
  return { paths, state: paths.length > 1 ? ("multiple" as const) : ("single" as const) };
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** What this command runs on, and what each registration would start. */
function runtimesOf(registrations: readonly Registration[], { host }: DoctorRequest) {
  const own = { client: null, command: process.execPath, executable: process.execPath, version: process.versions.node, same_as_this: true };
  const others = registrations.flatMap(({ client, start }) => {
    const [command] = start?.vector ?? [];
    if (command === undefined) return [];
    const executable = resolveCommand(command, host.env["PATH"]);
    return [{ client, command, executable, version: null, same_as_this: executable !== null && realPath(executable) === realPath(process.execPath) }];
  });
  return [own, ...others.map((other) => ({ ...other, label: clientById(other.client).label }))];
}

import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { applyPlan, clients, planSetup, planUninstall, type AppliedPlan, type ClientHost, type ClientId, type Installation } from "@rea/clients";
import { afterEach } from "vitest";

const places: string[] = [];

afterEach(() => {
  for (const place of places.splice(0)) rmSync(place, { recursive: true, force: true });
});

/** An empty home directory of its own. */
export function emptyHome(): string {
  const place = mkdtempSync(join(tmpdir(), "rea-clients-"));
  places.push(place);
  return place;
}

export function hostIn(home: string, env: ClientHost["env"] = {}): ClientHost {
  return { home, env, platform: "linux", uid: process.getuid?.() };
}

export const installation: Installation = {
  package_name: "@rea/cli",
  package_version: "1.2.3",
  cli_path: "/opt/rea/apps/cli/dist/main.js",
  runtime: "/usr/bin/node",
  published: false,
};

export function configOf(id: ClientId, host: ClientHost): string {
  const file = clients.find((client) => client.id === id)?.config?.file(host);
  if (file === undefined) throw new Error(`${id} has no configuration`);
  return file;
}

export function put(path: string, content: string | Uint8Array, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content, { mode });
}

export function bytesOf(path: string): Buffer | null {
  return statSync(path, { throwIfNoEntry: false }) === undefined ? null : readFileSync(path);
}

/** Plans and carries out a setup of some clients, without the skill. */
export function setUp(host: ClientHost, ids: readonly ClientId[], given: Partial<Installation> = {}): AppliedPlan {
  const at = { host, installation: { ...installation, ...given } };
  return applyPlan(planSetup({ clients: ids, skill: null, installHopper: false }, at), at);
}

export function uninstall(host: ClientHost): AppliedPlan {
  const at = { host, installation };
  return applyPlan(planUninstall(at), at);
}

export function stateOf(applied: AppliedPlan, id: ClientId): string | undefined {
  const found = applied.clients.find(({ plan }) => plan.client.id === id)?.outcome;
  return found === undefined ? undefined : found.state === "failed" ? `failed ${found.stage}: ${found.why}` : found.state;
}

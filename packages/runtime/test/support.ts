import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { silentProgress, type OperationContext } from "@rea/core";
import { createFakeProvider, type FakeProvider, type FakeProviderOptions } from "@rea/testkit";
import { invoke, type ToolReply, type ToolService } from "@rea/tool";
import { afterAll } from "vitest";
import { createRuntime, type DetectFile, type RuntimeOptions } from "../src/index.js";

const root = mkdtempSync(join(tmpdir(), "rea-runtime-test-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let serial = 0;

/** A fresh directory that goes when the file's tests are done. */
export function directory(): string {
  serial += 1;
  const path = join(root, String(serial));
  mkdirSync(path);
  return path;
}

export function writeTemporary(name: string, content: string | Uint8Array, mode = 0o644): string {
  const path = join(directory(), name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

/** Everything is an ELF executable, except what is named otherwise. */
const detectAnything: DetectFile = (_source, { name, raw, architecture }) => ({
  kind: name.endsWith(".zip") ? "archive" : "executable",
  format: name.endsWith(".zip") ? "zip" : "elf",
  architecture: raw?.architecture ?? architecture ?? "x86_64",
  available_architectures: ["x86_64"],
  role: null,
  managed: false,
  raw: raw ?? null,
  note: null,
});

export const emptyPage = {
  items: [],
  coverage: { state: "complete", omissions: [] },
  offset: 0,
  limit: 100,
  total: 0,
  next_offset: null,
  has_more: false,
};

/** The embedded provider's stand-in: executables only, two operations. */
export function nativeFake(options: Partial<FakeProviderOptions> = {}): FakeProvider {
  return createFakeProvider({
    id: "rea-native",
    embedded: true,
    support: (target) =>
      target.kind === "executable"
        ? { status: "supported", diagnostics: {} }
        : { status: "unsupported", code: "target_kind_unsupported", reason: "Executables only.", diagnostics: {} },
    answers: { list_procedures: () => emptyPage, procedure_address: () => "0x1000", current_address: () => "0x1" },
    ...options,
  });
}

export function runtimeWith(options: Partial<RuntimeOptions> = {}): ToolService {
  return createRuntime({
    env: {},
    identity: { package_name: "@rea/test", package_version: "1.2.3", server_path: "/server.js" },
    providers: [nativeFake()],
    auxiliary: [],
    stateDirectory: join(root, "state"),
    log: { level: "silent" },
    detect: detectAnything,
    ...options,
  });
}

/** A runtime as programs get it: the real engine and readers, with directories of its own. */
export function embeddedRuntime(): ToolService {
  return createRuntime({
    env: {},
    identity: { package_name: "@rea/test", package_version: "1.2.3", server_path: "/server.js" },
    stateDirectory: directory(),
    cacheDirectory: directory(),
    log: { level: "silent" },
  });
}

export function call(service: ToolService, name: string, input: unknown = {}, signal = new AbortController().signal): Promise<ToolReply> {
  const tool = service.tools.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return invoke(tool, input, service.host, { signal });
}

/** The result of a call that must succeed. */
export async function result(service: ToolService, name: string, input: unknown = {}) {
  const reply = await call(service, name, input);
  if (!reply.ok) throw new Error(`${name}: ${JSON.stringify(reply.error)}`);
  return JSON.parse(JSON.stringify(reply.value.result));
}

/** The error of a call that must fail. */
export async function failure(service: ToolService, name: string, input: unknown = {}) {
  const reply = await call(service, name, input);
  if (reply.ok) throw new Error(`${name} succeeded`);
  return JSON.parse(JSON.stringify(reply.error));
}

export function context(signal = new AbortController().signal): OperationContext {
  return { signal, progress: silentProgress };
}

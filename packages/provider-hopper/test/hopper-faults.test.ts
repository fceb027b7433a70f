import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EngineRoom, testProviderFaults, writeRogueEngine, type ProviderFault, type RogueFault } from "@rea/testkit";
import type { AnalysisProvider, Target } from "@rea/provider";
import { createHopperProvider } from "../src/index.js";
import { newLauncher, sampleProgram, standInAbsent, targetOf, writeStandIn, type StandInSettings } from "./stand-in.js";

const short = "1500";

/** Reads what the bootstrap tells its bridge, as a Hopper would that runs no script. */
const endpoint = String.raw`(args, require) => {
  const script = require("node:fs").readFileSync(args[args.indexOf("--python") + 1], "utf8");
  const literal = /json\.loads\((".*")\)/.exec(script)[1];
  const { transport, socket, token } = JSON.parse(JSON.parse(literal));
  return { transport, path: socket, token };
}`;

const served = createHopperProvider({ env: {}, launcher: newLauncher() }).capabilities().map(({ operation }) => operation);

/** Content with its start, and then it misbehaves. */
const answer = `({ id, method }) => method === "open_target"
  ? { id, result: { bridge_version: 1, run_id: "fault-matrix", python: "3", operations: ${JSON.stringify([...served, "function_dossier", "function_listing"])} } }
  : undefined`;

function providerOf(room: EngineRoom, path: string, env: Readonly<Record<string, string>> = {}, more: Partial<Parameters<typeof createHopperProvider>[0]> = {}): AnalysisProvider {
  const environment = { PATH: "/usr/bin:/bin", HOPPER_LAUNCHER_PATH: path, ...room.environment, ...env };
  return createHopperProvider({ env: environment, launcher: newLauncher(), parents: [room.parent], ...more });
}

function rogue(fault: RogueFault, env: Readonly<Record<string, string>> = {}): ProviderFault["provider"] {
  return (room) => providerOf(room, writeRogueEngine(room.makePlace("hopper"), "Hopper", { fault, endpoint, answer }), env);
}

function standIn(settings: (room: EngineRoom) => StandInSettings = () => ({}), env: Readonly<Record<string, string>> = {}, more: Partial<Parameters<typeof createHopperProvider>[0]> = {}): ProviderFault["provider"] {
  return (room) => providerOf(room, writeStandIn(room.makePlace("hopper"), settings(room)), env, more);
}

const target = (): Target => targetOf(sampleProgram());

const gone = (details: object): object => ({ code: "provider_unavailable", details: { provider_id: "hopper", ...details } });
const off = (reason: string): object => ({ code: "unreadable_output", details: { provider_id: "hopper", reason } });
const startLimit = { REA_HOPPER_STARTUP_TIMEOUT_MS: short };

const faults: readonly ProviderFault[] = [
  {
    name: "never connects",
    provider: rogue("never_connects", startLimit),
    target,
    error: { code: "provider_timeout", details: { operation: "start_engine", phase: "engine_connect" } },
  },
  { name: "connects and says nothing", provider: rogue("no_hello", startLimit), target, error: { code: "provider_timeout", details: { phase: "engine_handshake" } } },
  { name: "shows another token", provider: rogue("wrong_token"), target, error: gone({ reason: "authentication_failed" }) },
  { name: "greets in another language", provider: rogue("garbage_hello"), target, error: off("handshake_malformed") },
  { name: "exits at once", provider: rogue("exit_at_once"), target, error: gone({ reason: "exited_during_startup", exit_code: 0 }) },
  { name: "leaves a child and exits", provider: rogue("child_then_exit"), target, error: gone({ reason: "exited_during_startup", exit_code: 4 }) },
  { name: "prints garbage", provider: rogue("garbage"), target, error: off("not_json") },
  { name: "answers another request", provider: rogue("wrong_id"), target, error: off("wrong_request_id") },
  { name: "sends a line of 11 MiB", provider: rogue("too_long"), target, error: off("frame_too_long") },
  { name: "dies in the middle of a line", provider: rogue("mid_line"), target, error: gone({ reason: "engine_exited", exit_code: 5 }) },
  { name: "hangs up", provider: rogue("hang_up"), target, error: gone({}) },
  { name: "exits under a request", provider: rogue("exit"), target, error: gone({ reason: "engine_exited", exit_code: 7, stderr_tail: "farewell\n" }) },
  { name: "is killed under a request", provider: rogue("killed"), target, error: gone({ reason: "engine_exited", signal: "SIGKILL" }) },
  {
    name: "ignores that a call is cancelled, and TERM",
    provider: rogue("ignores_cancel"),
    target,
    error: { code: "cancelled" },
    during: async ({ controller, client }) => {
      while (client.alive?.() !== true) await new Promise((resolve) => setTimeout(resolve, 20));
      controller.abort();
    },
  },
  { name: "is cancelled while it starts", provider: standIn(() => ({ silent: true })), target, error: { code: "cancelled" }, during: ({ controller }) => void setTimeout(() => controller.abort(), 700) },
  { name: "is cancelled while its directory is made", provider: standIn(), target, error: { code: "cancelled" }, during: ({ controller }) => controller.abort() },
  {
    name: "is cancelled while it analyses",
    provider: standIn(() => ({ analysis_ms: 600_000 })),
    target,
    error: { code: "cancelled" },
    during: ({ controller }) => void setTimeout(() => controller.abort(), 3_000),
  },
  {
    name: "is closed while it starts",
    provider: standIn(() => ({ silent: true })),
    target,
    error: { code: "cancelled" },
    during: async ({ client }) => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      await client.close();
    },
  },
  {
    name: "analyses for longer than it may",
    provider: standIn(() => ({ analysis_ms: 600_000 }), { REA_HOPPER_STARTUP_TIMEOUT_MS: "4000" }),
    target,
    error: { code: "provider_timeout", details: { operation: "start_engine", phase: "engine_ready" } },
  },
  {
    name: "misses a library",
    provider: standIn(() => ({ exit: 127, stderr: "Hopper: error while loading shared libraries: libQt5Core.so.5: cannot open\n" })),
    target,
    error: gone({ reason: "runtime_dependency_unavailable", exit_code: 127 }),
  },
  {
    name: "does not understand its options",
    provider: standIn(() => ({}), { HOPPER_LOADER_ARGS_JSON: '["--no-such-option"]' }),
    target,
    error: gone({ reason: "invalid_launch_command", exit_code: 1 }),
  },
  {
    name: "shows a dialog",
    provider: standIn(() => ({ silent: true, windows: [{ width: 420, height: 180, title: "Try the demo?\u202e", kind: "_NET_WM_WINDOW_TYPE_DIALOG" }] }), {}, { host: { dialogPatienceMs: 100 } }),
    target,
    error: gone({ reason: "unsupported_build", dialogs: [{ width: 420, height: 180, title: "Try the demo?\\u{202e}" }] }),
  },
  {
    name: "is another program than the launcher that was started",
    provider: (room) => {
      const place = room.makePlace("hopper");
      const path = join(place, "wrapper");
      writeFileSync(path, `#!/bin/sh\nexec "${writeStandIn(place)}" "$@"\n`, { mode: 0o755 });
      return providerOf(room, path);
    },
    target,
    error: gone({ reason: "process_ownership_mismatch", what: "launcher", lineage: "command_mismatch" }),
  },
  {
    name: "shares its display with another program",
    provider: standIn(() => ({ windows: [{ width: 10, height: 10, title: "stranger", pid: 1 }] })),
    target,
    error: gone({ reason: "process_ownership_mismatch", what: "window" }),
  },
  {
    name: "opens another document",
    provider: standIn((room) => ({ document_path: join(room.makePlace("other"), "file") })),
    target,
    error: gone({ reason: "other_document" }),
  },
  {
    name: "opens bytes that have changed since",
    provider: standIn(),
    target: () => ({ ...target(), sha256: "0".repeat(64) }),
    error: { code: "target_unavailable", details: { reason: "target_changed" } },
  },
  {
    name: "has no room for its private directory",
    provider: (room) => providerOf(room, writeStandIn(room.makePlace("hopper")), {}, { parents: [join(room.parent, ".hidden")] }),
    target,
    error: gone({ reason: "socket_directory_unusable" }),
  },
  {
    name: "has a display that does not come up",
    provider: standIn(() => ({}), {}, { host: { displayPrograms: ["/bin/false"] } }),
    target,
    error: gone({ reason: "private_display_unavailable" }),
  },
  {
    name: "opens a target whose path has blanks, letters of other scripts and a line feed",
    provider: standIn(),
    target: (room) => {
      const directory = room.makePlace('a "b" \\ ü 猫\n$(c)');
      mkdirSync(directory, { recursive: true });
      const path = join(directory, "größe 🙂");
      copyFileSync(sampleProgram(), path);
      return targetOf(path);
    },
    error: null,
  },
  { name: "lives in a directory whose path has blanks, letters of other scripts and a line feed", provider: standIn(), target, error: null, roomName: 'e "f" \\ ü 猫\n$(g)' },
  { name: "lives in a directory whose path is too long for a socket", provider: standIn(), target, error: null, roomName: "long".repeat(30) },
];

testProviderFaults("Hopper", faults.map((fault) => ({ ...fault, absent: standInAbsent })));

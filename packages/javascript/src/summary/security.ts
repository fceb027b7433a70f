import type { ElectronVerdict } from "@rea/artifact";
import type { ApplicationSummary, Citation } from "@rea/core";
import type { GuardFact } from "../facts/electron-fact.js";
import type { LinkedElectron } from "../link/electron.js";
import type { In } from "../link/in-script.js";
import type { LinkedApplication } from "../link/linked-application.js";
import { cite } from "./cite.js";
import type { Sizes } from "./sizes.js";

type SecurityLine = ApplicationSummary["security"][number];
type Window = LinkedElectron["windows"][number];

interface Preference {
  readonly check: SecurityLine["check"];
  readonly name: string;
  /** The value that hardens. */
  readonly safe: boolean;
}

const preferences: readonly Preference[] = [
  { check: "context-isolation", name: "contextIsolation", safe: true },
  { check: "sandbox", name: "sandbox", safe: true },
  { check: "node-integration", name: "nodeIntegration", safe: false },
  { check: "web-security", name: "webSecurity", safe: true },
  { check: "insecure-content", name: "allowRunningInsecureContent", safe: false },
  { check: "webview", name: "webviewTag", safe: false },
];

/** What the code says about each protection, with the ranges that say it. Nothing is assumed of an Electron version's defaults. */
export function securityLines(electron: LinkedElectron, { application, verdicts, isWhole }: Reading, sizes: Sizes): SecurityLine[] {
  const policies = policyLines(electron, application, sizes);
  const inCode = electron.isElectron
    ? [...preferences.map((preference) => preferenceLine(preference, electron.windows, sizes)), ...policies, ...guardLines(electron, sizes), senderLine(electron, sizes), externalLine(electron, sizes), remoteLine(electron, sizes)]
    : policies;
  return [...(isWhole ? inCode : inCode.map(doubted)), ...(electron.isElectron ? fuseLines(verdicts) : [])];
}

interface Reading {
  readonly application: LinkedApplication;
  readonly verdicts: readonly ElectronVerdict[];
  /** Nothing of the application's own code was left out. */
  readonly isWhole: boolean;
}

/** What was not found may stand in what was not read. */
function doubted(one: SecurityLine): SecurityLine {
  return one.finding === "absent" ? { ...one, finding: "unknown", statement: `${one.statement} Not everything was read.` } : one;
}

function line(check: SecurityLine["check"], finding: SecurityLine["finding"], statement: string, places: { readonly at: readonly Citation[]; readonly sizes: Sizes }): SecurityLine {
  return { check, finding, statement, at: places.at.slice(0, places.sizes.sites * 2), total: places.at.length };
}

/** `1 window`, `2 windows` */
function counted(count: number, what: string): string {
  return `${String(count)} ${what}${count === 1 ? "" : "s"}`;
}

function every(windows: number): string {
  return windows === 1 ? "the one window" : `all ${String(windows)} windows`;
}

function preferenceLine({ check, name, safe }: Preference, windows: readonly Window[], sizes: Sizes): SecurityLine {
  const given = windows.flatMap(({ preferences: all, script }) => all.filter((one) => one.name === name).map((one) => ({ ...one, script })));
  const places = (which: typeof given) => ({ at: which.map(({ script, at }) => cite(script, at)), sizes });
  const weakened = given.filter(({ state, value }) => state === "literal" && value === !safe);
  if (weakened.length > 0) return line(check, "weakened", `${name} is ${String(!safe)} in ${String(weakened.length)} of ${counted(windows.length, "window")}.`, places(weakened));
  const dynamic = given.filter(({ state, value }) => state === "dynamic" || value !== safe);
  if (dynamic.length > 0) return line(check, "unknown", `${name} is decided at run time.`, places(dynamic));
  const open = windows.filter(({ isOpen, options }) => isOpen || options === "dynamic");
  if (given.length > 0) {
    const rest = windows.length - given.length;
    return line(check, "set", rest > 0 ? `${name} is ${String(safe)} in ${String(given.length)} of ${counted(windows.length, "window")}; ${String(rest)} left to Electron's default.` : `${name} is ${String(safe)} in ${every(given.length)}.`, places(given));
  }
  if (open.length > 0) return line(check, "unknown", `${name} does not stand in any window's options; some of these are put together at run time.`, { at: open.map(({ script, at }) => cite(script, at)), sizes });
  return line(check, "absent", windows.length === 0 ? `No window was found, so ${name} is not set.` : `${name} is left to the default of the Electron version in ${every(windows.length)}.`, { at: windows.map(({ script, at }) => cite(script, at)), sizes });
}

function policyLines({ guards, isElectron }: LinkedElectron, { pages }: LinkedApplication, sizes: Sizes): SecurityLine[] {
  const inPages = pages.flatMap(({ path, facts }) => facts.policies.map((policy) => ({ policy: policy.value, at: cite({ path }, policy) })));
  const inHeaders = ofGuard(guards, "content-security-policy").map((guard) => ({ policy: guard.value ?? "", at: cite(guard.script, guard.at) }));
  const all = [...inHeaders, ...inPages];
  if (all.length === 0 && pages.length === 0 && !isElectron) return [];
  const weak = all.filter(({ policy }) => /'unsafe-eval'|script-src[^;]*'unsafe-inline'|default-src[^;]*\*(?:[ ;]|$)/u.test(policy));
  const at = (which: typeof all) => ({ at: which.map((one) => one.at), sizes });
  if (weak.length > 0) return [line("content-security-policy", "weakened", "A policy allows eval, inline scripts or every origin.", at(weak))];
  if (all.length > 0) return [line("content-security-policy", "set", `${String(inPages.length)} of ${counted(pages.length, "page")} and ${counted(inHeaders.length, "header setting")} have a policy.`, at(all))];
  return [line("content-security-policy", "absent", `None of ${counted(pages.length, "page")} has a policy, and no header setting was found.`, { at: pages.map(({ path, sizeBytes }) => cite({ path }, { start: 0, end: sizeBytes, line: 1, column: 0 })), sizes })];
}

const guarded: readonly (readonly [GuardFact["guard"], SecurityLine["check"], string])[] = [
  ["navigation", "navigation-guard", "will-navigate or will-redirect is listened to"],
  ["window-open", "window-open-guard", "a handler decides about new windows"],
  ["permission", "permission-handler", "a handler decides about permissions"],
];

function guardLines({ guards }: LinkedElectron, sizes: Sizes): SecurityLine[] {
  return guarded.map(([guard, check, what]) => {
    const found = ofGuard(guards, guard);
    const at = found.map((one) => cite(one.script, one.at));
    return found.length > 0 ? line(check, "present", `In ${counted(found.length, "place")} ${what}; what it decides is not shown.`, { at, sizes }) : line(check, "absent", `Nowhere in what was read: ${what}.`, { at, sizes });
  });
}

function senderLine({ ipc }: LinkedElectron, sizes: Sizes): SecurityLine {
  const handlers = ipc.filter(({ side, form }) => side === "main" && form !== null);
  const checking = handlers.filter(({ senderChecks }) => senderChecks.length > 0);
  const at = checking.flatMap(({ script, senderChecks }) => senderChecks.slice(0, 1).map((one) => cite(script, one.at)));
  if (handlers.length === 0) return line("sender-validation", "absent", "No message handler was found in the main process.", { at, sizes });
  if (checking.length === 0) return line("sender-validation", "absent", `None of ${counted(handlers.length, "handler")} looks at who sent the message.`, { at: handlers.map(({ script, at: place }) => cite(script, place)), sizes });
  return line("sender-validation", "present", `${String(checking.length)} of ${counted(handlers.length, "handler")} look at who sent the message; whether they refuse is not shown.`, { at, sizes });
}

function externalLine({ guards }: LinkedElectron, sizes: Sizes): SecurityLine {
  const found = ofGuard(guards, "open-external");
  const open = found.filter(({ value }) => value === null || value.includes("{}"));
  const at = (open.length > 0 ? open : found).map((one) => cite(one.script, one.at));
  if (found.length === 0) return line("open-external", "absent", "shell.openExternal is not called.", { at, sizes });
  return line("open-external", open.length > 0 ? "unknown" : "present", open.length > 0 ? `shell.openExternal is given an address that is decided at run time in ${String(open.length)} of ${counted(found.length, "call")}.` : `shell.openExternal is called with constant addresses only.`, { at, sizes });
}

function remoteLine({ loads }: LinkedElectron, sizes: Sizes): SecurityLine {
  const remote = loads.filter(({ target, method }) => method === "loadURL" && target !== null && /^https?:/iu.test(target));
  const insecure = remote.filter(({ target }) => /^http:\/\/(?!localhost|127\.|\[::1\])/iu.test(target ?? ""));
  const at = (insecure.length > 0 ? insecure : remote).map((one) => cite(one.script, one.at));
  if (insecure.length > 0) return line("remote-content", "weakened", "A window loads a page over plain HTTP.", { at, sizes });
  return remote.length > 0 ? line("remote-content", "present", `Windows load remote pages in ${counted(remote.length, "place")}.`, { at, sizes }) : line("remote-content", "absent", "No window loads a remote page by a constant address.", { at, sizes });
}

function ofGuard(guards: LinkedElectron["guards"], guard: GuardFact["guard"]): readonly In<GuardFact>[] {
  return guards.filter((one) => one.guard === guard);
}

/** Fuses that hand an application's powers to whoever starts it, and the state that hardens. */
const hardening: ReadonlyMap<string, string> = new Map([
  ["RunAsNode", "disabled"],
  ["EnableNodeOptionsEnvironmentVariable", "disabled"],
  ["EnableNodeCliInspectArguments", "disabled"],
  ["EnableEmbeddedAsarIntegrityValidation", "enabled"],
  ["OnlyLoadAppFromAsar", "enabled"],
]);

/** Of programs, which have no source range: the statement names the switches. */
function fuseLines(verdicts: readonly ElectronVerdict[]): SecurityLine[] {
  return verdicts.flatMap(({ program, fuses, verdict, reason }): SecurityLine[] => {
    if (program === null) return [];
    const weak = fuses.filter(({ name, state }) => hardening.has(name) && hardening.get(name) !== state);
    const statement = weak.length === 0 ? "The fuses that harden an application are set." : `Fuses that weaken: ${weak.map(({ name, state }) => `${name} ${state}`).join(", ")}.`;
    const places = { at: [], total: 0 };
    return [
      { check: "fuses", finding: weak.length === 0 ? "set" : "weakened", statement, ...places },
      { check: "asar-integrity", finding: verdict === "would_load" ? "set" : verdict === "not_enforced" ? "absent" : verdict === "would_refuse" ? "weakened" : "unknown", statement: reason, ...places },
    ];
  });
}

import { argumentAt, bare, child, children, memberName, propertyKey, stringValue, type SyntaxNode } from "../syntax/node.js";
import type { Scope } from "../syntax/scope.js";
import { constantText, objectOf, partialText } from "./constant.js";
import { spanOf, type Detector, type FileView, type Sight } from "./detector.js";
import type { GuardFact, ProtocolFact, UpdaterFact } from "./electron-fact.js";
import { electronName } from "./electron-origin.js";

const events: ReadonlyMap<string, GuardFact["guard"]> = new Map([
  ["will-navigate", "navigation"],
  ["will-frame-navigate", "navigation"],
  ["will-redirect", "navigation"],
  ["new-window", "window-open"],
  ["will-attach-webview", "webview"],
  ["certificate-error", "certificate"],
]);
const methods: ReadonlyMap<string, GuardFact["guard"]> = new Map([
  ["setWindowOpenHandler", "window-open"],
  ["setPermissionRequestHandler", "permission"],
  ["setPermissionCheckHandler", "permission"],
  ["setCertificateVerifyProc", "certificate"],
]);
const protocolMethods = /^(?:handle|register\w*Protocol|intercept\w*Protocol|registerSchemesAsPrivileged)$/u;
const updaterModules: ReadonlySet<string> = new Set(["electron-updater", "update-electron-app"]);

/** What an application does about navigation, windows, permissions and policies; schemes it answers; how it updates. */
export class ElectronGuards implements Detector {
  readonly types = ["CallExpression", "Property"];
  readonly guards: GuardFact[] = [];
  readonly protocols: ProtocolFact[] = [];
  readonly updaters: UpdaterFact[] = [];
  readonly #view: FileView;

  constructor(view: FileView) {
    this.#view = view;
  }

  see(node: SyntaxNode, { scope }: Sight): void {
    if (node.type === "Property") {
      this.#header(node, scope);
      return;
    }
    const callee = bare(child(node, "callee"));
    if (callee === undefined) return;
    if (callee.type === "MemberExpression") this.#method(node, callee, scope);
    else this.#function(node, callee, scope);
  }

  #method(node: SyntaxNode, callee: SyntaxNode, scope: Scope): void {
    const name = memberName(callee) ?? "";
    if (name === "on" || name === "once") {
      const event = stringValue(argumentAt(node, 0));
      const guard = event === undefined ? undefined : events.get(event);
      if (guard !== undefined) this.#guard(node, guard, event ?? null);
      else if (event === "open-url" || event === "second-instance") this.#protocol(node, event, null);
      return;
    }
    const guard = methods.get(name);
    if (guard !== undefined) this.#guard(node, guard, null);
    else this.#known(node, callee, scope);
  }

  #known(node: SyntaxNode, callee: SyntaxNode, scope: Scope): void {
    const origin = this.#view.origins.of(callee, scope);
    if (origin?.module !== undefined && origin.module !== null && updaterModules.has(origin.module)) this.#updater(node, origin.path.at(-1) ?? "call", scope);
    const name = electronName(callee, scope, this.#view.origins);
    if (name === undefined) return;
    this.#electron(node, name.path, scope);
  }

  #electron(node: SyntaxNode, path: readonly string[], scope: Scope): void {
    const [object = "", method = ""] = path.slice(-2);
    if (object === "protocol" && protocolMethods.test(method)) this.#schemes(node, method, scope);
    else if (object === "app" && method === "setAsDefaultProtocolClient") this.#protocol(node, method, constantText(argumentAt(node, 0), scope) ?? null);
    else if (object === "shell" && method === "openExternal") this.#guard(node, "open-external", partialText(argumentAt(node, 0), scope)?.value ?? null);
    else if (object === "commandLine" && method === "appendSwitch") this.#guard(node, "command-line", constantText(argumentAt(node, 0), scope) ?? null);
    else if (object === "autoUpdater") this.#updater(node, method, scope);
  }

  #function(node: SyntaxNode, callee: SyntaxNode, scope: Scope): void {
    const origin = this.#view.origins.of(callee, scope);
    if (origin?.module === undefined || origin.module === null) return;
    if (updaterModules.has(origin.module)) this.#updater(node, origin.path.at(-1) ?? "call", scope);
  }

  #schemes(node: SyntaxNode, method: string, scope: Scope): void {
    const first = bare(argumentAt(node, 0));
    if (first?.type !== "ArrayExpression") {
      this.#protocol(node, method, constantText(first, scope) ?? null);
      return;
    }
    for (const one of children(first, "elements")) {
      const scheme = children(objectOf(one, scope) ?? one, "properties").find((property) => propertyKey(property) === "scheme");
      this.#protocol(node, method, scheme === undefined ? null : (constantText(child(scheme, "value"), scope) ?? null));
    }
  }

  /** `"Content-Security-Policy": ["default-src 'self'"]` among response headers. */
  #header(node: SyntaxNode, scope: Scope): void {
    const key = propertyKey(node);
    if (key === undefined || key.length !== 23 || key.toLowerCase() !== "content-security-policy") return;
    const value = bare(child(node, "value"));
    const policy = value?.type === "ArrayExpression" ? children(value, "elements")[0] : value;
    this.#guard(node, "content-security-policy", partialText(policy, scope)?.value ?? null);
  }

  #updater(node: SyntaxNode, kind: string, scope: Scope): void {
    if (!/^(?:setFeedURL|checkForUpdates|checkForUpdatesAndNotify|updateElectronApp|call|quitAndInstall|downloadUpdate)$/u.test(kind) || !this.#view.admit()) return;
    const first = bare(argumentAt(node, 0));
    const object = objectOf(first, scope);
    const url = object === undefined ? first : children(object, "properties").find((property) => ["url", "repo", "host"].includes(propertyKey(property) ?? ""));
    const value = url?.type === "Property" ? child(url, "value") : url;
    this.updaters.push({ kind, value: partialText(value, scope)?.value ?? null, basis: "updater-call", confidence: "observed", at: spanOf(node) });
  }

  #guard(node: SyntaxNode, guard: GuardFact["guard"], value: string | null): void {
    if (this.#view.admit()) this.guards.push({ guard, value, basis: "guard-call", confidence: "observed", at: spanOf(node) });
  }

  #protocol(node: SyntaxNode, method: string, scheme: string | null): void {
    if (this.#view.admit()) this.protocols.push({ method, scheme, basis: "protocol-call", confidence: "observed", at: spanOf(node) });
  }
}

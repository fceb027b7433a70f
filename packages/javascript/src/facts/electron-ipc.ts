import { argumentAt, bare, child, isFunction, memberName, nameOf, type SyntaxNode } from "../syntax/node.js";
import type { Scope } from "../syntax/scope.js";
import { constantText } from "./constant.js";
import { spanOf, type Detector, type FileView, type Sight } from "./detector.js";
import type { IpcFact, IpcOperation } from "./electron-fact.js";
import { electronName, type ElectronName } from "./electron-origin.js";
import { senderChecks } from "./sender-checks.js";

const mainMethods: ReadonlyMap<string, IpcOperation> = new Map([
  ["handle", "handle"],
  ["handleOnce", "handle-once"],
  ["on", "on"],
  ["once", "once"],
  ["addListener", "on"],
  ["removeHandler", "remove-handler"],
  ["removeListener", "remove-listener"],
  ["off", "remove-listener"],
  ["removeAllListeners", "remove-listener"],
]);
const rendererMethods: ReadonlyMap<string, IpcOperation> = new Map([
  ["invoke", "invoke"],
  ["send", "send"],
  ["sendSync", "send-sync"],
  ["postMessage", "post-message"],
  ["sendToHost", "send-to-host"],
  ["on", "renderer-on"],
  ["once", "renderer-once"],
  ["addListener", "renderer-on"],
  ["removeListener", "renderer-remove"],
  ["off", "renderer-remove"],
  ["removeAllListeners", "renderer-remove"],
]);
const handling: ReadonlySet<IpcOperation> = new Set(["handle", "handle-once", "on", "once", "renderer-on", "renderer-once"]);

/** Messages between Electron's processes, from either side. */
export class ElectronIpc implements Detector {
  readonly types = ["CallExpression"];
  readonly found: IpcFact[] = [];
  readonly #view: FileView;

  constructor(view: FileView) {
    this.#view = view;
  }

  see(node: SyntaxNode, { scope }: Sight): void {
    const callee = bare(child(node, "callee"));
    if (callee === undefined || (callee.type !== "MemberExpression" && callee.type !== "Identifier")) return;
    const method = callee.type === "MemberExpression" ? memberName(callee) : undefined;
    if (callee.type === "MemberExpression" && (method === undefined || (!mainMethods.has(method) && !rendererMethods.has(method)))) return;
    const name = electronName(callee, scope, this.#view.origins);
    if (name !== undefined && this.#byName(node, name, scope)) return;
    if (callee.type === "MemberExpression" && method !== undefined) this.#contents(node, callee, { method, scope });
  }

  #byName(node: SyntaxNode, { path, confidence }: ElectronName, scope: Scope): boolean {
    const [object, method] = path;
    if (path.length !== 2 || method === undefined) return false;
    if (object === "ipcMain") this.#add(node, { side: "main", operation: mainMethods.get(method), method, confidence, basis: "ipc-main" }, scope);
    else if (object === "ipcRenderer") this.#add(node, { side: "renderer", operation: rendererMethods.get(method), method, confidence, basis: "ipc-renderer" }, scope);
    else return false;
    return true;
  }

  /** `window.webContents.send(…)`, `event.sender.send(…)`, `contents.ipc.handle(…)`; known by their names alone. */
  #contents(node: SyntaxNode, callee: SyntaxNode, { method, scope }: { readonly method: string; readonly scope: Scope }): void {
    const object = bare(child(callee, "object"));
    const name = object?.type === "MemberExpression" ? memberName(object) : nameOf(object);
    const owner = object?.type === "MemberExpression" ? bare(child(object, "object")) : undefined;
    if (name === "ipc" && owner !== undefined && isContents(owner)) {
      this.#add(node, { side: "main", operation: mainMethods.get(method), method, confidence: "inferred", basis: "contents-ipc" }, scope);
    } else if ((method === "send" || method === "postMessage") && (name === "webContents" || name === "sender" || name === "senderFrame" || name === "mainFrame")) {
      this.#add(node, { side: "main", operation: "send-to-renderer", method, confidence: "inferred", basis: "contents-send" }, scope);
    }
  }

  #add(node: SyntaxNode, given: Pick<IpcFact, "side" | "method" | "confidence" | "basis"> & { readonly operation: IpcOperation | undefined }, scope: Scope): void {
    const { operation } = given;
    const argument = argumentAt(node, 0);
    if (operation === undefined || !this.#view.admit()) return;
    const channel = constantText(argument, scope) ?? null;
    const handler = handling.has(operation) ? bare(argumentAt(node, 1)) : undefined;
    this.found.push({
      ...given,
      operation,
      channel,
      channelReference: channel === null ? this.#reference(argument, scope) : null,
      channelGiver: channel === null ? giverOf(argument, scope) : null,
      form: handler === undefined ? null : formOf(handler),
      senderChecks: given.side === "main" && handler !== undefined ? senderChecks(handler, scope) : [],
      at: spanOf(node),
    });
  }

  /** A channel that another module defines. */
  #reference(argument: SyntaxNode | undefined, scope: Scope): IpcFact["channelReference"] {
    const origin = this.#view.origins.of(argument, scope);
    return origin === undefined || origin.module === null || origin.path.length === 0 ? null : { module: origin.module, path: origin.path };
  }
}

/** The function that is given the channel as its first parameter and passes it on as it is. */
function giverOf(argument: SyntaxNode | undefined, scope: Scope): IpcFact["channelGiver"] {
  const binding = scope.resolve(nameOf(bare(argument)) ?? "");
  const isPassedOn = binding?.kind === "parameter" && binding.parameter === 0 && binding.writes === 0 && isFunction(binding.scope.node);
  return isPassedOn ? spanOf(binding.scope.node) : null;
}

function isContents(node: SyntaxNode): boolean {
  const name = node.type === "MemberExpression" ? memberName(node) : nameOf(node);
  return name !== undefined && /^(?:webContents|mainFrame|contents|wc)$/u.test(name);
}

function formOf(handler: SyntaxNode): NonNullable<IpcFact["form"]> {
  if (isFunction(handler)) return "inline";
  if (handler.type === "Identifier") return "identifier";
  return handler.type === "MemberExpression" ? "member" : "dynamic";
}

import { bare, child, memberName, nameOf, type SyntaxNode } from "../syntax/node.js";
import type { Scope } from "../syntax/scope.js";
import type { Origins } from "./origin.js";

const modules = /^(?:electron(?:\/(?:main|renderer|common|utility))?|@electron\/remote)$/u;

/** A property of Electron's API, and whether it is known or only goes by its name. */
export interface ElectronName {
  readonly path: readonly string[];
  readonly confidence: "observed" | "inferred";
}

/** `ipcMain.handle` in whatever form a file has it. Names are believed only where nothing says what they stand for. */
export function electronName(node: SyntaxNode | undefined, scope: Scope, origins: Origins): ElectronName | undefined {
  const origin = origins.of(node, scope);
  if (origin !== undefined && origin.module !== null) {
    if (!modules.test(origin.module)) return undefined;
    const path = origin.path[0] === "remote" ? origin.path.slice(1) : origin.path;
    return path.length === 0 ? undefined : { path, confidence: "observed" };
  }
  const byName = namedPath(bare(node), scope);
  return byName === undefined ? undefined : { path: byName, confidence: "inferred" };
}

const telling: ReadonlySet<string> = new Set(["ipcMain", "ipcRenderer", "contextBridge", "BrowserWindow", "utilityProcess", "webFrame"]);

/** `x.ipcRenderer.invoke` of an object that comes from elsewhere. */
function namedPath(node: SyntaxNode | undefined, scope: Scope): readonly string[] | undefined {
  const path: string[] = [];
  let now = node;
  while (now?.type === "MemberExpression" && path.length < 8) {
    const name = memberName(now);
    if (name === undefined) return undefined;
    path.unshift(name);
    if (telling.has(name)) return path;
    now = bare(child(now, "object"));
  }
  const name = nameOf(now);
  if (name === undefined || !telling.has(name)) return undefined;
  const binding = scope.resolve(name);
  // A name that the file gives a meaning of its own is not Electron's.
  if (binding !== undefined && binding.kind !== "parameter" && binding.imported === undefined) return undefined;
  return [name, ...path];
}

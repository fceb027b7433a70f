/**
 * The name of an original as a path: without scheme, host, query and the steps that lead up and out. Bundlers write
 * `webpack://app/./src/a.ts?1f2e`, `../../node_modules/x/index.js`, `file:///home/me/a.ts`; nothing of it is ever opened.
 */
export function sourcePath(name: string): string {
  const plain = name
    .replace(/^[a-z][\w+.-]*:\/\/\/?/iu, (scheme) => (scheme.toLowerCase() === "webpack://" ? "webpack-host/" : ""))
    .replace(/^webpack-host\/[^/]*\//u, "")
    .replace(/[?#].*$/su, "")
    .replaceAll("\\", "/");
  const segments: string[] = [];
  for (const segment of plain.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment === "..") segments.pop();
    else segments.push(segment);
  }
  return segments.join("/");
}

/** Written by a bundler, not by anybody's hand. */
export function isBundlerSource(name: string): boolean {
  return /^webpack(?:-internal)?:\/\/[^/]*\/?(?:\.\/)?(?:webpack\/|external |ignored\||delegated |\(webpack\))|^(?:webpack\/|\0|\x00)|\/webpack\/(?:bootstrap|runtime)|^(?:external|ignored) |virtual:|vite\/(?:preload-helper|modulepreload-polyfill)|commonjsHelpers|rolldown[:/]runtime|<(?:runtime|define|stdin)/iu.test(name);
}

/** The package that a path lies in, by its last `node_modules`; with a version where the directory's name has one. */
export function packageOfPath(path: string): { readonly name: string; readonly version: string | null; readonly inner: string; readonly directory: string } | undefined {
  const at = path.lastIndexOf("node_modules/");
  if (at < 0 || (at > 0 && path[at - 1] !== "/")) return undefined;
  const parts = path.slice(at + "node_modules/".length).split("/");
  const length = parts[0]?.startsWith("@") === true ? 2 : 1;
  const name = parts.slice(0, length).join("/");
  if (name === "" || parts.length <= length) return undefined;
  const store = /(?:^|\/)node_modules\/\.pnpm\/([^/]+)\/$/u.exec(path.slice(0, at))?.[1];
  const version = store === undefined ? null : (/^@?[^@]+@([^_(]+)/u.exec(store)?.[1] ?? null);
  return { name, version, inner: parts.slice(length).join("/"), directory: path.slice(0, at + "node_modules/".length) + name };
}

/**
 * The path that a single file has inside its analysis: not its name on this machine, so that the same content elsewhere, and
 * under another name, is the same application. The ending stays, for it decides the language.
 */
export function soleFilePath(name: string): string {
  if (name === "package.json") return name;
  const ending = /\.(?:[cm]?[jt]sx?|vue|svelte|html?|map)$/iu.exec(name)?.[0].toLowerCase() ?? "";
  return `bundle${ending}`;
}

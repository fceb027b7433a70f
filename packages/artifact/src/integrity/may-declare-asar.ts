/** True for a program with archives of an Electron application in `resources` beside it. */
export function mayDeclareAsar(name: string, names: readonly string[]): boolean {
  if (!/\.exe$/iu.test(name)) return false;
  const prefix = `${name.slice(0, name.lastIndexOf("/") + 1)}resources/`.toLowerCase();
  return names.some((one) => one.toLowerCase().startsWith(prefix) && one.toLowerCase().endsWith(".asar"));
}

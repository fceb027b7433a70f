/** `FILE` or `FILE#ev_…`. */
export function placeOf(text: string): { readonly path: string; readonly id?: string } {
  const [, path, id] = /^(.+)#(ev_[0-9a-f]{64})$/u.exec(text) ?? [];
  return path === undefined || id === undefined ? { path: text } : { path, id };
}

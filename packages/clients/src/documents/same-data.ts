/** Whether two values of plain data are equal, whatever the order of their keys. Without recursion: files nest as they like. */
export function isSameData(left: unknown, right: unknown): boolean {
  const open: [unknown, unknown][] = [[left, right]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [a, b] = pair;
    if (Object.is(a, b)) continue;
    if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
    const keys = Object.keys(a);
    if (Array.isArray(a) !== Array.isArray(b) || keys.length !== Object.keys(b).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(b, key)) return false;
      open.push([Reflect.get(a, key), Reflect.get(b, key)]);
    }
  }
  return true;
}

/** Whether two names mean one class; a Swift class may be written `_TtC6Module5Class` or `Module.Class`. */
export function sameClass(a: string, b: string): boolean {
  return a === b || plainClass(a) === plainClass(b);
}

/** `Module.Class` of a mangled name of Swift's old form; other names as they are. */
function plainClass(name: string): string {
  const kinds = /^_Tt(C+)/.exec(name)?.[1];
  if (kinds === undefined) return name;
  const words: string[] = [];
  for (let at = 3 + kinds.length; at < name.length; ) {
    const digits = /^\d{1,4}/.exec(name.slice(at, at + 4))?.[0];
    const length = Number(digits ?? 0);
    if (digits === undefined || length === 0 || at + digits.length + length > name.length) return name;
    words.push(name.slice(at + digits.length, at + digits.length + length));
    at += digits.length + length;
  }
  return words.join(".");
}

/** A key as `Input.dispatchKeyEvent` takes it. */
export interface KeyPress {
  readonly key: string;
  readonly code: string;
  readonly windowsVirtualKeyCode: number;
  /** What it types; null for keys that type nothing. */
  readonly text: string | null;
  /** Alt 1, Control 2, Meta 4, Shift 8. */
  readonly modifiers: number;
}

const modifierBits = new Map([
  ["Alt", 1],
  ["Control", 2],
  ["Meta", 4],
  ["Shift", 8],
]);

// UI Events KeyboardEvent key and code values; codes of Windows for the pages that still read them.
const named = new Map<string, Omit<KeyPress, "modifiers">>(
  [
    ["Enter", 13, "\r"],
    ["Tab", 9, null],
    ["Escape", 27, null],
    ["Backspace", 8, null],
    ["Delete", 46, null],
    ["Insert", 45, null],
    ["Home", 36, null],
    ["End", 35, null],
    ["PageUp", 33, null],
    ["PageDown", 34, null],
    ["ArrowLeft", 37, null],
    ["ArrowUp", 38, null],
    ["ArrowRight", 39, null],
    ["ArrowDown", 40, null],
    ...Array.from({ length: 12 }, (_, index) => [`F${String(index + 1)}`, 112 + index, null] as const),
  ].map(([key, code, text]) => [String(key), { key: String(key), code: String(key), windowsVirtualKeyCode: Number(code), text: text === null ? null : String(text) }]),
);
named.set("Space", { key: " ", code: "Space", windowsVirtualKeyCode: 32, text: " " });

/** Reads `Enter`, `a`, `Control+A`, `Shift+Tab`; null for a key that is not known. */
export function keyPress(text: string): KeyPress | null {
  const parts = text === "+" || text.endsWith("++") ? [...text.slice(0, -1).split("+").filter((part) => part !== ""), "+"] : text.split("+");
  const last = parts.pop() ?? "";
  const bits = parts.map((part) => modifierBits.get(part));
  if (bits.includes(undefined)) return null;
  const modifiers = bits.reduce<number>((sum, bit) => sum | (bit ?? 0), 0);
  const key = named.get(last) ?? characterKey(last);
  if (key === null) return null;
  // With Control, Alt or Meta a key commands and types nothing.
  return { ...key, modifiers, text: (modifiers & 7) === 0 ? key.text : null };
}

function characterKey(text: string): Omit<KeyPress, "modifiers"> | null {
  const characters = [...text];
  const [character] = characters;
  if (character === undefined || characters.length !== 1) return null;
  const upper = character.toUpperCase();
  const code = /^[A-Z]$/.test(upper) ? `Key${upper}` : /^\d$/.test(character) ? `Digit${character}` : "";
  return { key: character, code, windowsVirtualKeyCode: code === "" ? 0 : upper.charCodeAt(0), text: character };
}

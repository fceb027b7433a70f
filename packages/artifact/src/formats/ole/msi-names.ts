const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz._";
const pairStart = 0x3800;
const singleStart = 0x4800;
const tableMark = 0x4840;

/** Class identifiers of installer databases, patches and transforms. */
const installers: ReadonlySet<string> = new Set(["84100c0000000000c000000000000046", "86100c0000000000c000000000000046", "82100c0000000000c000000000000046"]);

export function isInstaller(classId: string): boolean {
  return installers.has(classId);
}

/**
 * The name that Windows Installer packs into a stream's name: two letters of 64 in one character, a mark before names of
 * tables (written `!`). Undefined for a name without packed letters.
 */
export function unpackedName(name: string): string | undefined {
  let unpacked = "";
  let isPacked = false;
  for (const [index, letter] of Array.from(name, (one) => one.codePointAt(0) ?? 0).entries()) {
    if (letter >= pairStart && letter < singleStart) unpacked += letterOf(letter - pairStart) + letterOf((letter - pairStart) >> 6);
    else if (letter >= singleStart && letter < tableMark) unpacked += letterOf(letter - singleStart);
    else if (letter === tableMark && index === 0) unpacked += "!";
    else {
      unpacked += String.fromCodePoint(letter);
      continue;
    }
    isPacked = true;
  }
  return isPacked ? unpacked : undefined;
}

function letterOf(number: number): string {
  return alphabet[number & 0x3f] ?? "";
}

/** Private modes that only change what is shown: cursor keys, wrapping, cursor, and the other screen. */
const shownModes = new Set(["1", "6", "7", "12", "25", "47", "1047", "1048", "1049"]);
/** Sequences (ECMA-48 §8.3) that move, erase, insert, scroll, or set colours. */
const shownFinals = new Set([..."@ABCDEFGHIJKLMPSTXZ`abdefghlmrsu"]);
const maximumSequence = 256;

/**
 * Output of a program, reduced to what a terminal shows. Sequences that make a terminal answer, name windows, touch the clipboard
 * or switch what it sends are left out, so that playing a recording does nothing to the terminal it is played on.
 */
export class ShownSequences {
  #held = "";

  /** What can be shown now; a sequence that is not complete is kept for the next call. */
  take(text: string): string {
    const all = this.#held + text;
    this.#held = "";
    let shown = "";
    let at = 0;
    while (at < all.length) {
      const next = piece(all, at);
      if (next === null) {
        // What does not end is no sequence.
        this.#held = all.length - at > maximumSequence ? "" : all.slice(at);
        break;
      }
      if (next.shown) shown += all.slice(at, next.end);
      at = next.end;
    }
    return shown;
  }
}

interface Piece {
  readonly end: number;
  readonly shown: boolean;
}

/** One character or sequence; null when it is not complete. */
function piece(text: string, at: number): Piece | null {
  const unit = text.charCodeAt(at);
  if (unit === 0x1b) return escapeSequence(text, at);
  if (unit >= 0x80 && unit <= 0x9f) return { end: at + 1, shown: false };
  if (unit < 0x20 || unit === 0x7f) return { end: at + 1, shown: [0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f].includes(unit) };
  return plainRun(text, at);
}

function plainRun(text: string, at: number): Piece {
  let end = at + 1;
  while (end < text.length && text.charCodeAt(end) >= 0x20 && text.charCodeAt(end) < 0x7f) end += 1;
  return { end, shown: true };
}

function escapeSequence(text: string, at: number): Piece | null {
  const kind = text[at + 1];
  if (kind === undefined) return null;
  if (kind === "[") return controlSequence(text, at);
  // Device control, start of string, operating system, privacy and application commands.
  if ("P]X^_".includes(kind)) return stringCommand(text, at);
  if (/[ -/]/.test(kind)) {
    const end = at + 2 + (/^[ -/]*/.exec(text.slice(at + 2, at + 2 + maximumSequence))?.[0].length ?? 0);
    return end >= text.length ? null : { end: end + 1, shown: "()#".includes(kind) };
  }
  return { end: at + 2, shown: "78DEHM=>".includes(kind) };
}

function controlSequence(text: string, at: number): Piece | null {
  const [, parameters = "", between = "", final = ""] = /^([0-?]*)([ -/]*)([^]?)/.exec(text.slice(at + 2, at + 2 + maximumSequence)) ?? [];
  if (final === "") return null;
  const end = at + 2 + parameters.length + between.length + 1;
  if (final < "@" || final > "~") return { end: end - 1, shown: false };
  const isMode = final === "h" || final === "l";
  if (isMode && parameters.startsWith("?")) return { end, shown: between === "" && parameters.slice(1).split(";").every((mode) => shownModes.has(mode)) };
  return { end, shown: between === "" && /^[0-9;:]*$/.test(parameters) && shownFinals.has(final) };
}

/** Ends at a bell or a string terminator. */
function stringCommand(text: string, at: number): Piece | null {
  const bell = text.indexOf("\x07", at);
  const terminator = text.indexOf("\x1b\\", at + 2);
  const ends = [bell < 0 ? null : bell + 1, terminator < 0 ? null : terminator + 2].filter((end) => end !== null);
  return ends.length === 0 ? null : { end: Math.min(...ends), shown: false };
}

/** Puts a terminal back to how a program would want to find it. */
export const afterPlayback = "\x1b[?1049l\x1b[?25h\x1b[?7h\x1b[0m\x1b[r\x0f\r\n";

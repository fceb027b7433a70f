/** Marks an operand that begins with a dash; no argument of a process can hold this character. */
const mark = "\0";

/**
 * What follows `--` is an operand, whatever it looks like. The parser would not count it as one, and would take `-name`
 * for an option when it reads operands a second time: so the separator goes and each operand is marked until it is read.
 */
export function markOperands(args: readonly string[]): string[] {
  const end = args.indexOf("--");
  if (end === -1) return [...args];
  const operands = args.slice(end + 1);
  // A line that begins with the separator still names its command first.
  const command = end === 0 ? operands.slice(0, 1) : [];
  return [...args.slice(0, end), ...command, ...operands.slice(command.length).map((word) => `${mark}${word}`)];
}

/** True for a word that stood behind `--`, which is no value for an option. */
export function isMarked(text: string): boolean {
  return text.startsWith(mark);
}

/** The operand as it was written; also takes the marks out of a message about operands. */
export function operandText(text: string): string {
  return text.replaceAll(mark, "");
}

import { linesOf } from "./programs.js";

const fill = /^(?:(?:data16|cs) )*(?:nop[wl]?\b|int3\b|xchg\s+%ax,%ax|ud[2f]?\b.*$|brk\b.*$|lea[lq]?\s+(?:%cs:)?(?:0x0)?\((%[re]\w\w)(?:,%[re]iz(?:,1)?)?\), ?\1$)/;

/** Ranges of the section that another disassembler shows as fill: `nop`, `int3` and what assemblers put for them, and what it does not decode. */
export async function fillRanges(objdump: string, file: string, text: readonly [number, number]): Promise<[number, number][]> {
  const ranges: [number, number][] = [];
  let open: number | undefined;
  for await (const line of linesOf([objdump, "-d", "-z", ...(objdump === "objdump" ? ["-w"] : []), "--no-show-raw-insn", file])) {
    const row = /^\s*([0-9a-f]+):\s+(.*?)\s*(?:[#<;].*)?$/.exec(line);
    if (row === null) continue;
    const at = Number.parseInt(row[1] ?? "", 16);
    if (at < text[0] || at >= text[1]) continue;
    const shown = (row[2] ?? "").replaceAll("\t", " ");
    // Nothing is shown of words that are no instruction: constants behind a function.
    const isFill = shown === "" || fill.test(shown);
    if (isFill) open ??= at;
    else if (open !== undefined) {
      ranges.push([open, at]);
      open = undefined;
    }
  }
  if (open !== undefined) ranges.push([open, text[1]]);
  return ranges;
}

/** Ranges that a Mach-O file lists as data between instructions (LC_DATA_IN_CODE). */
export async function dataInCode(file: string, text: readonly [number, number]): Promise<[number, number][]> {
  // Entries count from the header: at 4 GiB in programs, at zero in libraries.
  const imageBase = text[0] - (text[0] % 2 ** 32);
  const ranges: [number, number][] = [];
  for await (const line of linesOf(["llvm-objdump-19", "--macho", "--data-in-code", file])) {
    const row = /^0x([0-9a-f]+)\s+(\d+)\s+\w+/.exec(line);
    if (row === null) continue;
    const start = Number.parseInt(row[1] ?? "", 16) + imageBase;
    ranges.push([start, start + Number(row[2])]);
  }
  return ranges;
}

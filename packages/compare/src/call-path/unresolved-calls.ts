import type { OperationResult } from "@rea/core";

type Dossier = OperationResult<"analyze_function">;

const instruction = /^(0x[0-9a-f]+)\s+(\S+)(?:\s+(.*))?$/u;
/** Calls and jumps of the instruction sets that dossiers show; those through a register or memory. */
const transfers = /^(?:call|jmp|blr\w*|br\w*|bctrl?l?|jalr?|jr|bx|blx|bl|b|jal|j|c\.jr|c\.jalr)$/u;
const directTarget = /^0x[0-9a-f]+$/u;
const returns = /^(?:lr|ra|\$ra|x30)$/u;

/**
 * Whether the listing of a function holds calls or jumps whose target no reference tells; undefined when not all of the
 * listing and the references is there.
 */
export function hasUnresolvedCalls({ assembly, outgoing_references: references, basic_blocks: blocks }: Dossier): boolean | undefined {
  if (assembly.state !== "available" || assembly.value.truncated || assembly.value.offset > 0) return undefined;
  if (references.state !== "available" || references.value.truncated) return undefined;
  const known = new Set(references.value.items.filter(({ kind }) => kind === "call" || kind === "jump").map(({ from }) => from));
  const switches = blocks.state === "available" ? blocks.value.items.filter(({ successors }) => successors.some(({ kind }) => kind === "switch")) : [];
  return assembly.value.text.split("\n").some((line) => {
    const [, address, mnemonic, rest = ""] = instruction.exec(line) ?? [];
    if (address === undefined || mnemonic === undefined || !transfers.test(mnemonic)) return false;
    const operand = rest.split("  ; ")[0]?.trim() ?? "";
    if (directTarget.test(operand) || known.has(address) || returns.test(operand)) return false;
    return !switches.some(({ start, end }) => BigInt(address) >= BigInt(start) && BigInt(address) < BigInt(end));
  });
}

import { refuse } from "../refusal.js";
import { nameNode, type Node } from "./node.js";
import type { Reader } from "./reader.js";

const character = "char, std::char_traits<char>";

function stream(name: string): Node {
  return { kind: "abbreviation", text: `std::${name}`, long: `std::basic_${name}<${character}>`, base: `basic_${name}` };
}

const standard: ReadonlyMap<string, Node> = new Map<string, Node>([
  ["a", nameInStd("allocator")],
  ["b", nameInStd("basic_string")],
  [
    "s",
    { kind: "abbreviation", text: "std::string", long: `std::basic_string<${character}, std::allocator<char>>`, base: "basic_string" },
  ],
  ["i", stream("istream")],
  ["o", stream("ostream")],
  ["d", stream("iostream")],
]);

function nameInStd(name: string): Node {
  return { kind: "nested", scope: nameNode("std"), name: nameNode(name) };
}

/** `S_`, `S0_`, … or an abbreviation of the standard library (§5.1.9). */
export function substitution(reader: Reader): Node {
  reader.expect("S");
  const known = standard.get(reader.peek());
  if (known !== undefined) {
    reader.at += 1;
    if (reader.peek() === "B") refuse();
    // Constructors and destructors of an abbreviated class show it at full length.
    const structor = (reader.peek() === "C" || reader.peek() === "D") && /\d/.test(reader.peek(1));
    return structor && known.kind === "abbreviation" ? { ...known, text: known.long } : known;
  }
  return reader.substitutions[sequenceNumber(reader, 36)] ?? refuse();
}

/** `T_`, `T0_`, … (§5.1.5). */
export function templateParam(reader: Reader): Node {
  reader.expect("T");
  const index = sequenceNumber(reader, 10);
  if (reader.lambdaDepth > 0) return nameNode("auto");
  if (reader.allowForward) {
    const forward = { kind: "forward" as const, target: undefined, index };
    reader.forwards.push(forward);
    return forward;
  }
  return reader.params[index] ?? refuse();
}

/** Nothing is 0, `0` is 1, …; ends with `_`. */
function sequenceNumber(reader: Reader, radix: 10 | 36): number {
  const start = reader.at;
  while (/[0-9A-Z]/.test(reader.peek())) reader.at += 1;
  const digits = reader.text.slice(start, reader.at);
  reader.expect("_");
  if (digits === "") return 0;
  if (digits.length > 6 || (radix === 10 && /\D/.test(digits))) refuse();
  return Number.parseInt(digits, radix) + 1;
}

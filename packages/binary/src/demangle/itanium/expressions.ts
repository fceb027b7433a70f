import { refuse } from "../refusal.js";
import type { Node } from "./node.js";
import type { Reader } from "./reader.js";
import { templateParam } from "./substitutions.js";

/** The part of `<expression>` (§5.1.6) whose text needs no rules of precedence; the rest is refused. */
export function readExpression(reader: Reader): Node {
  return reader.enter(() => {
    if (reader.peek() === "L") return reader.rules.literal(reader);
    if (reader.peek() === "T") return templateParam(reader);
    if (reader.take("ad")) return { kind: "prefixed", prefix: "&", of: simple(readExpression(reader)) };
    if (reader.take("st")) return { kind: "sequence", parts: ["sizeof (", reader.rules.type(reader), ")"] };
    return refuse();
  });
}

function simple(node: Node): Node {
  return node.kind === "sequence" ? refuse() : node;
}

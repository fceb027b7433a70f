import { refuse } from "../refusal.js";
import { nameNode, type Node } from "./node.js";
import type { Reader } from "./reader.js";

/** `<template-args>`; with `tag` they become what `T_`, `T0_`, … stand for. */
export function readTemplateArgs(reader: Reader, tag: boolean): readonly Node[] {
  return reader.enter(() => {
    reader.expect("I");
    if (!tag) return reader.untilEnd(() => argument(reader));
    const params: Node[] = [];
    reader.hasParams = false;
    reader.params = params;
    const args = reader.untilEnd(() => {
      const arg = argument(reader);
      params.push(arg.kind === "arguments" ? { ...arg, kind: "pack" } : arg);
      reader.params = params;
      return arg;
    });
    reader.hasParams = true;
    return args;
  });
}

function argument(reader: Reader): Node {
  return reader.enter(() => {
    switch (reader.peek()) {
      case "X": {
        reader.at += 1;
        const value = reader.rules.expression(reader);
        reader.expect("E");
        return value;
      }
      case "J":
        reader.at += 1;
        return { kind: "arguments", items: reader.untilEnd(() => argument(reader)) };
      case "L":
        return reader.rules.literal(reader);
      case "T":
        return /[ynptk]/.test(reader.peek(1)) ? refuse() : reader.rules.type(reader);
      default:
        return reader.rules.type(reader);
    }
  });
}

const integerSuffix: ReadonlyMap<string, string> = new Map([
  ["i", ""], ["j", "u"], ["l", "l"], ["m", "ul"], ["x", "ll"], ["y", "ull"],
]);

/** `<expr-primary>`: `L…E` (§5.1.6). Floating-point values are refused: their text depends on the platform. */
export function readLiteral(reader: Reader): Node {
  reader.expect("L");
  if (reader.take("_Z") || reader.take("Z")) {
    const named = reader.rules.encoding(reader);
    reader.expect("E");
    return named;
  }
  const char = reader.peek();
  if (reader.take("b0E")) return nameNode("false");
  if (reader.take("b1E")) return nameNode("true");
  if (reader.take("DnE") || reader.take("Dn0E")) return nameNode("nullptr");
  if ("fdegA".includes(char) || reader.text.startsWith("Ul", reader.at)) return refuse();
  const suffix = integerSuffix.get(char);
  if (suffix !== undefined) {
    reader.at += 1;
    return nameNode(value(reader) + suffix);
  }
  const type = reader.rules.type(reader);
  return { kind: "sequence", parts: ["(", type, ")", value(reader)] };
}

function value(reader: Reader): string {
  const number = reader.number();
  reader.expect("E");
  return number;
}

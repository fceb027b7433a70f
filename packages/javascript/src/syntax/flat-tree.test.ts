import { parse } from "acorn";
import { expect, test } from "vitest";
import { flatten, visit } from "./flat-tree.js";
import { isNode, type SyntaxNode } from "./node.js";
import { walk } from "./walk.js";

const source = "import a, { b as c } from 'x'; export const f = async ({ d = 1, ...e }) => { class G extends a { #p = [d, , `t${e}`]; static m() { return this.#p?.[0] ?? c(...e); } } for (const k of e) if (k) break; return new G(); };";

function program(): SyntaxNode {
  const tree: unknown = parse(source, { ecmaVersion: "latest", sourceType: "module" });
  if (!isNode(tree)) throw new Error("A program is a node.");
  return tree;
}

const told = ({ type, start, end }: SyntaxNode): string => `${type} ${String(start)} ${String(end)}`;

test("a tree that was taken apart is visited as a walk through it visits it", () => {
  const root = program();
  const [walked, visited]: [string[], string[]] = [[], []];
  walk(root, { enter: (node, ancestors) => void walked.push(`enter ${told(node)} in ${String(ancestors.length)}`), leave: (node) => void walked.push(`leave ${told(node)}`) });
  visit(flatten(root, 10_000), { enter: (node, _kind, ancestors) => void visited.push(`enter ${told(node)} in ${String(ancestors.length)}`), leave: (node) => void visited.push(`leave ${told(node)}`) });
  expect(visited).toEqual(walked);
});

test("what a visitor passes over is left without being looked into", () => {
  const seen: string[] = [];
  visit(flatten(program(), 10_000), {
    enter: (node) => {
      seen.push(node.type);
      return node.type === "ArrowFunctionExpression" ? false : undefined;
    },
    leave: (node) => void seen.push(`/${node.type}`),
  });
  const at = seen.indexOf("ArrowFunctionExpression");
  expect(seen.slice(at, at + 3)).toEqual(["ArrowFunctionExpression", "/ArrowFunctionExpression", "/VariableDeclarator"]);
});

test("a tree with more nodes than are taken is cut, and everything that was entered is left", () => {
  const tree = flatten(program(), 12);
  let open = 0;
  visit(tree, { enter: () => void (open += 1), leave: () => void (open -= 1) });
  expect([tree.nodes.length, tree.isCut, open]).toEqual([12, true, 0]);
});

import { bare, child, memberName, nameOf, type SyntaxNode } from "../syntax/node.js";
import type { SemanticReading } from "./reading.js";
import { valuesOf } from "./values.js";

/** `process.env.NAME`, `process.argv`, `import.meta.env.NAME` */
export function configurationRead(node: SyntaxNode, reading: SemanticReading): void {
  const object = bare(child(node, "object"));
  const name = memberName(node);
  if (object === undefined) return;
  const isArgv = name === "argv" && isProcess(object, reading);
  if (!isArgv && (object.type !== "MemberExpression" || memberName(object) !== "env" || !isEnvironment(object, reading))) return;
  const { table, here } = reading;
  const read = table.add({ kind: "configuration-read", name: isArgv ? "process.argv" : (name ?? "(put together at run time)"), start: node.start, end: node.end, within: here });
  table.edge(isArgv ? "reads-argv" : "reads-environment", here, read);
  reading.configuration.set(node, read);
  reading.effect("environment");
}

function isEnvironment(node: SyntaxNode, reading: SemanticReading): boolean {
  const object = bare(child(node, "object"));
  return object?.type === "MetaProperty" || (object !== undefined && isProcess(object, reading));
}

function isProcess(node: SyntaxNode, { scope, origins }: SemanticReading): boolean {
  if (nameOf(node) === "process") return scope.resolve("process") === undefined || origins.of(node, scope)?.module === "process";
  return node.type === "MemberExpression" && memberName(node) === "process" && origins.isGlobal(node, scope, "process");
}

const streams: ReadonlySet<string> = new Set(["stdin", "stdout", "stderr"]);

/** `child.stdout` of something that is given a started process. */
export function standardStream(node: SyntaxNode, reading: SemanticReading): void {
  const name = memberName(node);
  const object = bare(child(node, "object"));
  if (name === undefined || !streams.has(name) || object === undefined || isProcess(object, reading)) return;
  for (const value of valuesOf(object, reading)) {
    reading.table.edge("connects-stdio", reading.here, value, { certainty: "medium", reason: "Recognised by the name of the method; the object is not known." });
  }
}

import type { z } from "@rea/core";
import type { CommandLine, Tool } from "@rea/tool";
import { UsageError } from "./usage-error.js";

type Issue = z.core.$ZodIssue;
type Values = { readonly [field: string]: unknown };

const maximumProblems = 4;

/** Refuses values that the tool's input never takes, in words of the command line. Throws `UsageError`. */
export function requireUsableInput(tool: Tool, input: Values, shown: (field: string) => string): void {
  const parsed = tool.input.safeParse(input);
  if (parsed.success) return;
  const problems = new Set(parsed.error.issues.map((issue) => problemText(issue, shown)));
  throw new UsageError([...problems].slice(0, maximumProblems).join("\n  "));
}

/** How a field is written on this command line: `<name>` for an operand, `--flag` for an option. */
export function argumentNames(line: CommandLine): (field: string) => string {
  return (field) => {
    const operand = line.positionals.find((item) => item.field === field);
    return operand === undefined ? `--${field.replaceAll("_", "-")}` : `<${operand.flag}>`;
  };
}

function problemText(issue: Issue, shown: (field: string) => string): string {
  const [field] = issue.path;
  const place = field === undefined ? "these arguments" : shown(String(field));
  return `${place} ${fault(issue)}`;
}

function fault(issue: Issue): string {
  switch (issue.code) {
    case "too_small":
      return issue.origin === "string" && Number(issue.minimum) === 1 ? "must not be empty" : `must be at least ${String(issue.minimum)}${unit(issue.origin)}`;
    case "too_big":
      return `must be at most ${String(issue.maximum)}${unit(issue.origin)}`;
    case "invalid_value":
      return `must be one of ${issue.values.map(String).join(", ")}`;
    case "invalid_format":
    case "custom":
      return ownWords(issue.message);
    case "invalid_type":
      return `must be of type ${issue.expected}`;
    default:
      return "cannot be used as it is";
  }
}

/** A schema's own message says what it expects; the library's standard ones only that something is invalid. */
function ownWords(message: string): string {
  if (/^invalid/i.test(message)) return "has the wrong format";
  return `must be ${message.replace(/^expected /i, "")}`;
}

function unit(origin: string): string {
  if (origin === "string") return " characters long";
  return origin === "array" || origin === "set" ? " values" : "";
}

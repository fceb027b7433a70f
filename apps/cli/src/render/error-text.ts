import { escapeUntrusted, isJsonObject, type ErrorObject } from "@rea/core";

/** What the command line knows about an error beside the tool: the file it is about, and what to do with it. */
export interface ErrorSubject {
  /** As the user wrote it, with its option. */
  readonly name: string;
  readonly next: string;
}

export interface ErrorTextOptions {
  /** The command of a tool's name, such as `rea functions`. */
  readonly commandOf: (tool: string) => string | undefined;
  readonly subject?: ErrorSubject | undefined;
}

/** An error as lines that can be followed on a command line: no tool, field or detail that only other surfaces have. */
export function errorText(error: ErrorObject, { commandOf, subject }: ErrorTextOptions): string {
  const about = subject === undefined ? "" : `${escapeUntrusted(subject.name)}: `;
  const message = inCommands(sentences(error.message), commandOf);
  const next = subject?.next ?? inCommands(sentences(error.remediation.action), commandOf);
  const details = error.details ?? {};
  const told = reasons(details["rejections"]).reduce((text, reason) => text.replace(`${reason} Or `, "Correct the cause above, or "), next);
  const lines = [...candidates(details["candidate_ids"]), ...rejections(details["rejections"]), ...engineEnd(details), ...issues(details["issues"], error.message)];
  // A step that the message already ends with, or that speaks of lines that are not there, is not said.
  const repeated = told === "" || message.includes(told) || (lines.length === 0 && told.includes(" above"));
  return [`rea: ${about}${message}`, ...lines, ...(repeated ? [] : [`  next: ${told}`]), ""].join("\n");
}

/** Phrases of the tools, and what they are on a command line; the first that fit are taken, in this order. */
const phrases: readonly (readonly [RegExp, string])[] = [
  [/Choose one of details\.candidate_ids, or auto\./, "Choose one of those below with --provider, or auto."],
  [/ See details\.rejections for the cause\./, ""],
  [/Name one in provider_id\./, "Name one with --provider."],
  [/Call open_binary again with provider_id ("[\w-]+")/, "Run the command again with --provider $1"],
  [/Or call open_binary again with provider_id ("[\w-]+")/, "Or run the command again with --provider $1"],
  [/Name two to four of those in details\.candidate_ids\./, "Name two to four of those below."],
  [/Correct the cause named in details\.rejections\./, "Correct the cause above."],
  [/Pass one of the addresses in details\.issues instead\./, "Pass one of the addresses below instead."],
  [/(the arguments|the options) named in details\.issues/, "$1 above"],
  [/Open a readable regular file or directory with open_binary\./, "Give the path of a readable file or directory."],
  [/(No target is open\.) Call open_binary first\./, "$1 Name a file with --target."],
  [/Call open_binary with the path of the program\./, "Name the program with --target."],
  [/Open (it|the target) again with open_binary\./, "Run the command again."],
  [/Call binary_session and choose a tool whose availability is true for this target\./, "See rea capabilities for what can be done."],
  [/Call binary_session to see why the provider is unavailable, then call again\./, "See rea providers for the cause, then run the command again."],
  [/Call binary_session for what the candidates offer, then open_binary with another provider_id\./, "See rea capabilities, then choose another provider with --provider."],
  [/Open the target with another provider_id\./, "Choose another provider with --provider."],
  [/Call binary_session, then call again\./, "See rea providers, then run the command again."],
  [/open_binary needs a provider id, or auto, in provider_id\. Call binary_session for the ids\./, "--provider takes an id, or auto. See rea providers for the ids."],
  [/[a-z_]+ needs an absolute local path in [a-z_]+, without ~ and without a scheme\. Correct it and call again\./, "The path must be a local one, not a URL. Correct it and run the command again."],
  [/open_binary cannot use these arguments: path has the wrong format\. Correct them and call again\./, "The path must be a local one, not a URL. Correct it and run the command again."],
  [/open_binary cannot use (these raw values|[a-z_]+ for this file)/, "This file cannot be read with $1"],
  [/Leave it out, or give absent, because the file has an executable header\./, "Leave it out: the file has an executable header."],
  [/Set overwrite to true to replace it, or name another file\./, "Name another file."],
  [/(Report the provider and operation) (named )?in details\./, "$1 shown with --json."],
  [/(Release the resources|the resource|the setting) (listed|named) in details/, "$1 shown with --json"],
  [/Read details\.[a-z_]+ and details\.[a-z_]+\./, "Read the details shown with --json."],
  [/details\.[a-z_]+/g, "the details shown with --json"],
  [/ to start a fresh one; details show how it ended\./, " to start a fresh one."],
  [/\bcall again\b/g, "run the command again"],
  [/\bCall again\b/g, "Run the command again"],
];

function sentences(text: string): string {
  return phrases.reduce((shown, [phrase, words]) => shown.replace(phrase, words), text);
}

/** Names of tools become commands, names of fields become options. */
function inCommands(text: string, commandOf: ErrorTextOptions["commandOf"]): string {
  return text.replace(/\b[a-z]+(_[a-z]+)+\b/g, (word) => optionNames.get(word) ?? commandOf(word) ?? word);
}

const optionNames: ReadonlyMap<string, string> = new Map(
  ["raw_architecture", "raw_base", "raw_endian"].map((field): [string, string] => [field, `--${field.replaceAll("_", "-")}`]).concat([
    ["provider_id", "--provider"],
    ["snapshot_path", "--snapshot"],
  ]),
);

function candidates(ids: unknown): string[] {
  const names = texts(ids);
  return names.length === 0 ? [] : [`  providers: ${names.join(", ")}`];
}

/** Why each was rejected, in the words that a next step may repeat. */
function reasons(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(isJsonObject).flatMap(({ reason }) => texts([reason])) : [];
}

const shownOutputLines = 6;

/** How an engine ended, and the last of what it wrote; the text is escaped where it comes from. */
function engineEnd({ reason, exit_code: code, signal, stderr_tail: tail }: NonNullable<ErrorObject["details"]>): string[] {
  if (reason !== "engine_exited") return [];
  const how = typeof signal === "string" ? `ended by ${signal}` : `ended with status ${typeof code === "number" ? String(code) : "unknown"}`;
  const written = typeof tail === "string" ? tail.trimEnd().split("\n").slice(-shownOutputLines) : [];
  return [`  the engine ${how}`, ...written.filter((line) => line !== "").map((line) => `  | ${line}`)];
}

function rejections(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isJsonObject).map(({ provider_id, code, reason, diagnostics }) => {
    const why = [...texts([reason]), ...texts(diagnostics)].filter((text) => text !== "");
    const [cause = ""] = texts([code]);
    return `  ${texts([provider_id]).join("")}: ${why.length === 0 ? cause.replaceAll("_", " ") : why.join("; ")}`;
  });
}

/** One line for each place; what the message already says about a number is not said again. */
function issues(value: unknown, message: string): string[] {
  if (!Array.isArray(value)) return [];
  const lines = value.filter(isJsonObject).flatMap((issue) => {
    const { path, reason, expected } = issue;
    // The path's own sentence says all of it.
    if (typeof path !== "string" || typeof reason !== "string" || path === "path") return [];
    if (reason === "out_of_range" && message.includes("out of range")) return [];
    const wanted = typeof expected === "string" && expected !== "" && !message.includes(expected) ? `; expected ${expected.replace(/^expected /, "")}` : "";
    return wanted === "" && message.includes(path) && path !== "" ? [] : [`  ${fieldName(path)}: ${reason.replaceAll("_", " ")}${wanted}`];
  });
  return [...new Set(lines)];
}

function fieldName(path: string): string {
  if (path === "") return "input";
  return optionNames.get(path) ?? `--${path.replaceAll("_", "-")}`;
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

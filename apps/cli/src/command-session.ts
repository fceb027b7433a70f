import { existsSync, statSync } from "node:fs";
import { isJsonObject, type ErrorObject, type JsonObject } from "@rea/core";
import { createRuntime } from "@rea/runtime";
import { invoke, parseCatalogue, type Tool, type ToolReply, type ToolService } from "@rea/tool";
import { localPath } from "./argument-values.js";
import { wantsJson, type OutputArguments, type TargetArguments } from "./common-options.js";
import { catalogueText, identity } from "./identity.js";
import { interrupt } from "./interrupt.js";
import { jsonText, openOutput, type Output } from "./output.js";
import { ProgressLine } from "./progress-line.js";
import { renderValue } from "./render/value.js";
import { styleFor, type Style } from "./render/style.js";
import { UsageError } from "./usage-error.js";

/** One command's run: a runtime of its own, the output, and cancellation; `close` ends all of it. */
export class CommandSession {
  readonly output: Output;
  readonly json: boolean;
  readonly style: Style;
  readonly #service: ToolService;
  readonly #progress = new ProgressLine();
  readonly #given: OutputArguments;

  constructor(given: OutputArguments) {
    this.#given = given;
    for (const option of ["output", "save-evidence"] as const) keepInput(given.path, option, given[option]);
    this.output = openOutput(given.output === undefined ? undefined : localPath(given.output));
    this.json = wantsJson(given);
    this.style = styleFor(this.output.colour);
    this.#service = createRuntime({ env: process.env, identity, catalogue: parseCatalogue(catalogueText()), log: { level: "silent" } });
  }

  get tools(): readonly Tool[] {
    return this.#service.tools;
  }

  tool(name: string): Tool {
    const found = this.tools.find((candidate) => candidate.name === name);
    if (found === undefined) throw new UsageError(`there is no tool ${name}; rea tool lists them`);
    return found;
  }

  async call(name: string, input: { readonly [field: string]: unknown }): Promise<ToolReply> {
    const reply = await invoke(this.tool(name), input, this.#service.host, {
      signal: interrupt.signal,
      progressSink: (update) => {
        this.#progress.report(update);
      },
    });
    this.#progress.clear();
    return reply;
  }

  /** Opens PATH as the session's target. */
  open(path: string, given: TargetArguments): Promise<ToolReply> {
    const snapshot = given.snapshot === undefined ? undefined : localPath(given.snapshot);
    const input = {
      path: localPath(path),
      provider_id: given.provider,
      architecture: given.architecture,
      raw_architecture: given["raw-architecture"],
      raw_base: given["raw-base"],
      raw_endian: given["raw-endian"],
      snapshot_path: snapshot !== undefined && existsSync(snapshot) ? snapshot : undefined,
    };
    return this.call("open_binary", Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)));
  }

  /** Prints one outcome; returns the exit status. */
  print(reply: ToolReply): number {
    if (!reply.ok) return this.fail(reply.error);
    if (this.json) this.output.write(jsonText(reply.value, this.output.terminal));
    else this.text(renderResult(reply.value.result, this));
    return 0;
  }

  text(text: string): void {
    this.output.write(text);
  }

  fail(error: ErrorObject): number {
    if (this.json) this.output.write(jsonText({ error }, this.output.terminal));
    else process.stderr.write(errorText(error));
    return 1;
  }

  /** Saves what was asked for after a success; the first failure decides. */
  async save(given: TargetArguments): Promise<number> {
    const evidence = this.#given["save-evidence"];
    const exported =
      evidence === undefined
        ? undefined
        : await this.call("export_evidence_bundle", { path: localPath(evidence), overwrite: true });
    if (exported?.ok === false) return this.fail(exported.error);
    if (given.snapshot === undefined) return 0;
    const saved = await this.call("close_binary", { snapshot_path: localPath(given.snapshot), overwrite: true });
    return saved.ok ? 0 : this.fail(saved.error);
  }

  /** Releases everything; a signal's exit status wins over the command's. */
  async close(status: number): Promise<number> {
    const { remaining } = await this.#service.close();
    interrupt.remaining = remaining.map(({ kind }) => kind);
    this.#progress.clear();
    const written = this.output.finish();
    return interrupt.status() ?? (written ? status : Math.max(status, 1));
  }
}

/** A file that a command reads is never the file it writes. */
function keepInput(input: string | undefined, option: string, written: string | undefined): void {
  if (input === undefined || written === undefined) return;
  const [read, target] = [fileIdentity(input), fileIdentity(written)];
  if (read === undefined || read !== target) return;
  throw new UsageError(`--${option} names the file that this command reads; name another file`);
}

/** Device and inode behind the links; nothing where there is no file to see. */
function fileIdentity(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(localPath(path), { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

function renderResult(result: unknown, session: CommandSession): string {
  const options = { width: session.output.terminal ? session.output.columns : Number.POSITIVE_INFINITY, style: session.style };
  if (typeof result === "string" || typeof result === "number" || typeof result === "boolean") return `${result}\n`;
  if (result === null) return "none\n";
  return renderValue(asJson(result), options);
}

function asJson(result: unknown): JsonObject {
  return isJsonObject(result) ? result : { result: null };
}

function errorText(error: ErrorObject): string {
  const issues = Array.isArray(error.details?.["issues"]) ? error.details["issues"].filter(isIssue).map(issueText) : [];
  return [`rea: ${error.message}`, ...issues, `  next: ${error.remediation.action}`, ""].join("\n");
}

interface Issue {
  readonly path: string;
  readonly reason: string;
  readonly expected?: unknown;
}

function isIssue(value: unknown): value is Issue {
  return isJsonObject(value) && typeof value["path"] === "string" && typeof value["reason"] === "string";
}

function issueText(issue: Issue): string {
  const expected = typeof issue.expected === "string" ? `; expected ${issue.expected}` : "";
  return `  ${issue.path === "" ? "input" : issue.path}: ${issue.reason.replaceAll("_", " ")}${expected}`;
}

/** Runs a command inside a session and always closes it. */
export async function inSession(given: OutputArguments, work: (session: CommandSession) => Promise<number>): Promise<number> {
  const session = new CommandSession(given);
  let status = 1;
  try {
    status = await work(session);
  } finally {
    status = await session.close(status);
  }
  return status;
}

import { existsSync } from "node:fs";
import {
  createProgress,
  evidenceRefusal,
  isJsonObject,
  processCaptureSummarySchema,
  silentProgress,
  toReaError,
  type ApplicationSearch,
  type ApplicationsPort,
  type ArtifactDocumentFormat,
  type ArtifactsPort,
  type ErrorObject,
  type Evidence,
  type JsonObject,
  type JsonValue,
  type MemberDifference,
  type PackedMembers,
  type RecoveredSources,
  type ShownWebPage,
  type SourceReference,
  type ScreenshotComparisonInput,
} from "@rea/core";
import { createRuntime, rederiveBundle, type Rederivation, type RederivationRequest } from "@rea/runtime";
import { invoke, parseCatalogue, toCommandLine, type Tool, type ToolReply, type ToolService } from "@rea/tool";
import { localPath } from "./argument-values.js";
import { errorsAsJson, wantsJson, type OutputArguments, type TargetArguments } from "./common-options.js";
import { FunctionTexts } from "./function-texts.js";
import { catalogueText, engineBuild, identity } from "./identity.js";
import { requireUsableInput } from "./input-problems.js";
import { interrupt } from "./interrupt.js";
import { jsonText, openOutput, type Output } from "./output.js";
import { ProgressLine } from "./progress-line.js";
import { errorText, type ErrorSubject } from "./render/error-text.js";
import { renderValue } from "./render/value.js";
import { styleFor, type Style } from "./render/style.js";
import { toolText } from "./render/tool-texts.js";
import { printOut } from "./standard-output.js";
import { UsageError } from "./usage-error.js";
import { warmUp } from "./warm-up.js";
import { keepFilesApart } from "./written-files.js";

/** One command's run: a runtime of its own, the output, and cancellation; `close` ends all of it. */
export class CommandSession {
  readonly output: Output;
  readonly json: boolean;
  readonly style: Style;
  readonly #service: ToolService;
  readonly #progress = new ProgressLine();
  readonly #given: OutputArguments;
  #subject: ErrorSubject | undefined;

  /** `read`: files that the command reads beside PATH. */
  constructor(given: OutputArguments & TargetArguments, read: readonly string[] = []) {
    this.#given = given;
    keepFilesApart(given, read);
    this.output = openOutput(given.output === undefined ? undefined : localPath(given.output));
    this.json = wantsJson(given);
    this.style = styleFor(this.output.colour);
    this.#service = createRuntime({ env: process.env, identity, engineBuild, catalogue: parseCatalogue(catalogueText()), log: { level: "silent" } });
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

  /** Opens PATH as the session's target. Throws `UsageError` for options with values that are never valid. */
  async open(path: string, given: TargetArguments): Promise<ToolReply> {
    const snapshot = given.snapshot !== undefined && existsSync(localPath(given.snapshot)) ? given.snapshot : undefined;
    const all = {
      path: localPath(path),
      provider_id: given.provider,
      architecture: given.architecture,
      raw_architecture: given["raw-architecture"],
      raw_base: given["raw-base"],
      raw_endian: given["raw-endian"],
      snapshot_path: snapshot === undefined ? undefined : localPath(snapshot),
    };
    const input = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
    requireUsableInput(this.tool("open_binary"), input, targetOptionOf);
    const raw = (["raw-base", "raw-endian"] as const).find((option) => given[option] !== undefined);
    if (raw !== undefined && given["raw-architecture"] === undefined) throw new UsageError(`--${raw} needs --raw-architecture`);
    const reply = await this.call("open_binary", input);
    const cold = reply.ok && given.warm === true ? await warmUp(this.#service, interrupt.signal, (update) => this.#progress.report(update)) : undefined;
    if (cold !== undefined) return { ok: false, error: cold };
    const badSnapshot = !reply.ok && snapshot !== undefined && reply.error.code === "evidence_integrity_mismatch";
    if (badSnapshot) this.#subject = { name: `--snapshot ${snapshot}`, next: "Delete this file or name another one; it is written anew." };
    return reply;
  }

  /** Makes the records of an imported bundle again from the open target. Rejects as `rederiveBundle` does. */
  async rederive(request: RederivationRequest): Promise<Rederivation> {
    const progress = createProgress((update) => this.#progress.report(update));
    try {
      return await rederiveBundle(this.#service, request, { signal: interrupt.signal, progress });
    } finally {
      this.#progress.clear();
    }
  }

  /** Prints one outcome; returns the exit status. */
  print(reply: ToolReply, options: { readonly subject?: ErrorSubject; readonly tool?: string } = {}): number {
    if (!reply.ok) return this.fail(reply.error, options.subject);
    const own = options.tool === undefined ? undefined : toolText(options.tool);
    if (this.json) this.output.write(jsonText(reply.value, this.output.terminal));
    else if (own !== undefined) this.text(own(reply.value.result, this.style));
    else this.text(renderResult(reply.value.result, this));
    return 0;
  }

  /** Prints the inventory that a reply records as a document of another tool. */
  async printDocument(reply: ToolReply, format: ArtifactDocumentFormat): Promise<number> {
    if (!reply.ok) return this.fail(reply.error);
    if (!("evidence" in reply.value)) throw new Error("A result without a record cannot be a document.");
    const pieces = await this.#service.host.ports.artifacts.document({ inspection: reply.value.evidence, format });
    for (const text of batches(pieces)) this.output.write(text);
    return 0;
  }

  /** How members of two artifacts differ; rejects as the port does. */
  memberDifferences(sides: Parameters<ArtifactsPort["differences"]>[0]): Promise<readonly MemberDifference[]> {
    return this.#service.host.ports.artifacts.differences(sides, { signal: interrupt.signal, progress: silentProgress });
  }

  /** Writes members of an artifact as one tar archive. Rejects as the port does. */
  packMembers(input: Parameters<ArtifactsPort["pack"]>[0]): Promise<PackedMembers> {
    return this.#service.host.ports.artifacts.pack(input, { signal: interrupt.signal, progress: silentProgress });
  }

  /** The requests of a browser scenario as an HTTP Archive. Rejects as the port does. */
  har(record: Evidence): Promise<string> {
    return this.#service.host.ports.webScenarios.har(record);
  }

  /** A PNG of what differs between two images; null where their sizes differ. Rejects as the port does. */
  screenshotDifference(input: ScreenshotComparisonInput): Promise<Uint8Array | null> {
    return this.#service.host.ports.webComparisons.screenshotDifference(input, { signal: interrupt.signal, progress: silentProgress });
  }

  /** Texts of JavaScript applications. Rejects as the port does. */
  searchApplication(input: Parameters<ApplicationsPort["search"]>[0]): Promise<ApplicationSearch> {
    return this.#service.host.ports.applications.search(input, { signal: interrupt.signal, progress: silentProgress });
  }

  /** Writes originals of source maps. Rejects as the port does. */
  recoverSources(input: Parameters<ApplicationsPort["recoverSources"]>[0]): Promise<RecoveredSources> {
    return this.#service.host.ports.applications.recoverSources(input, { signal: interrupt.signal, progress: silentProgress });
  }

  /** Reads sources to compare applications with. Rejects as the port does. */
  importReference(path: string): Promise<SourceReference> {
    return this.#service.host.ports.applicationWorkflows.importReference(path, { signal: interrupt.signal, progress: silentProgress });
  }

  /** What a record of this session commits to. */
  whole(sha256: string): JsonValue {
    const found = this.#service.host.ports.ledger.whole(sha256);
    if (found === undefined) throw new Error("The whole is not retained.");
    return found.content;
  }

  /** A record for a capture that was written to a file. Throws `evidence_integrity_mismatch`. */
  adoptCapture(capture: JsonObject): Promise<Evidence> {
    return this.#service.host.ports.captures.adopt(capture);
  }

  /** A record for a capture of a page or a browser scenario that was written to a file. Throws `evidence_integrity_mismatch`. */
  adoptWebCapture(capture: JsonObject): Promise<Evidence> {
    return this.#service.host.ports.webComparisons.adopt(capture);
  }

  /** The capture that a record of a bundle commits to. Throws the typed error of an import, or `evidence_integrity_mismatch`. */
  async wholeOfRecord(bundle: string, id: string): Promise<JsonValue> {
    const { ports } = this.#service.host;
    await ports.ledger.importBundle({ path: bundle }, { signal: interrupt.signal, progress: silentProgress });
    const record = ports.evidence.resolve({ evidence_id: id }, { operation: "capture_process_scenario" });
    const summary = processCaptureSummarySchema.safeParse(record.normalized_result);
    const whole = summary.success ? ports.ledger.whole(summary.data.capture.sha256) : undefined;
    if (whole !== undefined) return whole.content;
    throw evidenceRefusal("missing", "The bundle does not hold the capture of this record. Export it with its wholes.", { evidence_id: id });
  }

  /** A page that shows a URL, in a browser that runs or in one that is started. Close it. */
  async showPage(url: string, sandbox: "enabled" | "disabled"): Promise<{ readonly ok: true; readonly page: ShownWebPage } | { readonly ok: false; readonly error: ErrorObject }> {
    try {
      const page = await this.#service.host.ports.web.showPage({ url, sandbox }, { signal: interrupt.signal, progress: silentProgress });
      return { ok: true, page };
    } catch (error) {
      return { ok: false, error: toReaError(error, "show_page").toObject() };
    }
  }

  /** Functions of the open target, many of them. */
  readonly functionTexts = (): FunctionTexts => new FunctionTexts(this.#service.host, (update) => { this.#progress.report(update); });

  text(text: string): void {
    this.output.write(text);
  }

  /** An error goes to the streams, also when the result would go to a file. */
  fail(error: ErrorObject, subject = this.#subject): number {
    if (errorsAsJson(this.#given)) printOut(jsonText({ error }, this.output.terminal));
    else process.stderr.write(errorText(error, { commandOf: (name) => this.#commandOf(name), subject }));
    return 1;
  }

  #commandOf(name: string): string | undefined {
    const found = this.tools.find((tool) => tool.name === name);
    if (found === undefined) return undefined;
    if (name === "search_procedures" || name === "search_strings") return "rea search";
    return found.cli === null ? `rea tool ${name}` : `rea ${toCommandLine(found).command}`;
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

  /** Releases everything; a signal's exit status wins over the command's. Only a success reaches the output file. */
  async close(status: number): Promise<number> {
    const { remaining } = await this.#service.close();
    interrupt.remaining = remaining.map(({ kind }) => kind);
    this.#progress.clear();
    const ended = interrupt.status() ?? status;
    if (ended !== 0) return ended;
    return this.output.finish() ? 0 : 1;
  }
}

const batchCharacters = 64 * 1024;

/** Small pieces together, so that each is not a write of its own. */
function* batches(pieces: Iterable<string>): Generator<string> {
  let held = "";
  for (const piece of pieces) {
    held += piece;
    if (held.length < batchCharacters) continue;
    yield held;
    held = "";
  }
  yield held;
}

function targetOptionOf(field: string): string {
  if (field === "path") return "<path>";
  if (field === "provider_id") return "--provider";
  return field === "snapshot_path" ? "--snapshot" : `--${field.replaceAll("_", "-")}`;
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

/** Runs a command inside a session and always closes it. `read`: files the command reads beside PATH. */
export async function inSession(
  given: OutputArguments & TargetArguments,
  work: (session: CommandSession) => Promise<number>,
  read: readonly string[] = [],
): Promise<number> {
  const session = new CommandSession(given, read);
  let status = 1;
  try {
    status = await work(session);
  } finally {
    status = await session.close(status);
  }
  return status;
}

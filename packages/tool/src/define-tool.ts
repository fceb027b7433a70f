import type { ArtifactDocumentFormat, CapabilityName, CapabilityPorts, Execution, HostFeature, JsonObject, OperationContext, OperationName, z } from "@rea/core";
import type { ToolEffects } from "./effects.js";

export const toolFamilies = [
  "session",
  "direct",
  "enhanced",
  "binary-format",
  "artifact",
  "managed",
  "browser",
  "electron",
  "javascript-runtime",
  "application",
] as const;
export type ToolFamily = (typeof toolFamilies)[number];

export type TargetKind = "executable" | "database" | "archive" | "artifact" | "directory";

/** Everything but the result of an execution, plus the inputs a derived record links to. */
export type Produced = Omit<Execution<unknown>, "result"> & {
  readonly evidence_links?: readonly string[];
  /** Digest of what each path input read, by field name; default the subject's digest. */
  readonly path_digests?: { readonly [field: string]: string | null };
};

/** What `run` returns: the result and, for tools that produce Evidence, its provenance. */
export interface ToolOutcome<R> {
  readonly result: R;
  readonly produced: Produced | null;
}

/** What `run` receives beside its input and ports. */
export interface ToolContext extends OperationContext {
  /** Whether the bound provider offers an operation now; for facets that may be missing. */
  offers(operation: OperationName): boolean;
}

/** Where a tool appears on the command line. */
export interface ToolCommand {
  /** Word of the command; default the tool's name in kebab-case. */
  readonly command: string;
  /**
   * `open`: the first positional PATH is opened as the session's target; `input`: PATH is the tool's own `path`
   * input; `none`: no PATH.
   */
  readonly target: "open" | "input" | "none";
  /** Input fields given as positionals, in order, after PATH. */
  readonly positionals: readonly string[];
  /** Formats of other tools in which the result can be printed, and inputs that are the default then. */
  readonly documents?: { readonly formats: readonly ArtifactDocumentFormat[]; readonly defaults: JsonObject };
}

export interface ToolExample<I> {
  readonly title: string;
  readonly input: I;
  /** What the example needs opened before it: `executable` stands for any small executable; default none. */
  readonly target?: "executable";
}

/** Named ways a tool can work when not every operation is there (shown as `modes` in availability). */
export interface ToolMode {
  readonly name: string;
  readonly operations: readonly OperationName[];
  readonly remediation: string;
}

export interface ToolDefinition<I extends z.ZodObject, O extends z.ZodType, K extends CapabilityName> {
  /** `[a-z0-9_]{1,64}`, starting with a letter. */
  readonly name: string;
  readonly family: ToolFamily;
  /** At most 400 characters: what it returns, when to use it, what to call next. */
  readonly description: string;
  /** Strict object in snake_case; every field described and bounded. */
  readonly input: I;
  readonly output: O;
  readonly effects: ToolEffects;
  /** True when success is recorded and answered with `evidence`. */
  readonly evidence: boolean;
  readonly requires: readonly K[];
  /** Target kinds it works on; `none` when it needs no target; `path_input` when its `path` may stand for one. */
  readonly target: { readonly kinds: readonly TargetKind[]; readonly path_input: boolean } | "none";
  /** Program of the host it cannot do without; default none. */
  readonly host?: HostFeature;
  /** Input fields that hold local paths: resolved by the command line, reduced to `{sha256}` in Evidence. */
  readonly paths?: readonly string[];
  readonly modes?: readonly ToolMode[];
  /** Null when contract 11 gives it no command of its own (`rea tool NAME` still runs it). */
  readonly cli: ToolCommand | null;
  readonly examples: readonly [ToolExample<z.input<I>>, ...ToolExample<z.input<I>>[]];
  run(
    input: z.output<I>,
    ports: Pick<CapabilityPorts, K>,
    context: ToolContext,
  ): Promise<ToolOutcome<z.output<O>>>;
}

/** A tool of any shape, as surfaces handle it. */
export type Tool = ToolDefinition<z.ZodObject, z.ZodType, CapabilityName>;

/**
 * Defines one tool. The object is the only place where anything about it is written: MCP, the command line and the
 * reference are projections of it. Throws a plain Error when the definition breaks a rule, so that the build fails.
 */
export function defineTool<I extends z.ZodObject, O extends z.ZodType, const K extends CapabilityName>(
  definition: ToolDefinition<I, O, K>,
): ToolDefinition<I, O, K> {
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(definition.name)) throw new Error(`tool name ${definition.name}`);
  if (definition.description.length > 400) throw new Error(`description of ${definition.name} is over 400 characters`);
  return definition;
}

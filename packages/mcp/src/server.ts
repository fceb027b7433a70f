import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { ReaError, toReaError, type JsonObject, type ProgressUpdate } from "@rea/core";
import type { ConnectionInfo, ToolService } from "@rea/tool";
import { facadeCatalogue } from "./facade/facade-catalogue.js";
import { faultLine } from "./fault-line.js";
import { frameBudget } from "./frame-budget.js";
import { NegotiatedVersion } from "./negotiated-version.js";
import { OpenCalls } from "./open-calls.js";
import { sdkVersion } from "./sdk-version.js";
import { ServiceLoader } from "./service-loader.js";
import { Tasks } from "./tasks.js";
import { toolCall } from "./tool-call.js";
import { toCallToolResult } from "./tool-result.js";

export interface McpServerOptions {
  readonly name: string;
  readonly version: string;
  /** The exact array that `tools/list` answers with. */
  readonly catalogue: readonly JsonObject[];
  /** List four tools that lead to all others instead, for models that refuse long lists; default false. */
  readonly facade?: boolean;
  /** Starts the tool service; called at the first tool call. */
  readonly load: () => Promise<ToolService>;
  /** Value of `REA_MCP_MAX_RESPONSE_BYTES`, if set. */
  readonly maxResponseBytes?: string | undefined;
  /** Told of protocol faults; never with message content. */
  readonly onFault?: (error: Error) => void;
}

export interface ConnectedServer {
  /** Cancels calls in progress, releases the service and closes the transport; safe to call twice. */
  close(): Promise<Awaited<ReturnType<ToolService["close"]>>>;
}

const instructions =
  "Open a program with open_binary, then call binary_overview or analyze_function. " +
  "binary_session tells which tools can be called now and why others cannot.";

/** Told to clients that negotiated tasks; the others see tools only. */
const taskCapability = { cancel: {}, requests: { tools: { call: {} } } } as const;

const facadeInstructions =
  "Find tools with search_tools, read one with describe_tool, call it with call_tool. Open a program with open_binary first. " +
  "binary_session tells which tools can be called now and why others cannot.";

/** Methods that a client may ask for although only tools are declared. */
const emptyLists: { readonly [method: string]: JsonObject } = {
  "resources/list": { resources: [] },
  "resources/templates/list": { resourceTemplates: [] },
  "prompts/list": { prompts: [] },
};

/** Serves a tool list over one connection; knows no provider. */
export async function connectServer(transport: Transport, options: McpServerOptions): Promise<ConnectedServer> {
  const calls = new OpenCalls();
  const facade = options.facade === true;
  const versions = new NegotiatedVersion(transport, () => server.getClientCapabilities()?.tasks !== undefined);
  const server = new Server(
    { name: options.name, version: options.version },
    { capabilities: { tools: {}, tasks: taskCapability }, instructions: facade ? facadeInstructions : instructions, jsonSchemaValidator: noValidator },
  );
  const loader = new ServiceLoader(options.load, () => describeConnection(server, versions.value), facade ? options.catalogue : null);
  const tasks = new Tasks(() => loader.jobs());
  const { onFault } = options;
  if (onFault !== undefined) server.onerror = (error) => { onFault(new Error(faultLine(error))); };

  const callTool = async (params: unknown, extra: CallExtra) => {
    const { name, input, token } = toolCall(params);
    if (versions.tasks) {
      const created = await tasks.create({ name, input, params, facade });
      if (created !== null) return created;
    }
    const { signal, release } = calls.begin(extra.signal);
    const send = (update: ProgressUpdate): void => {
      if (token === undefined || signal.aborted) return;
      const notification = { method: "notifications/progress" as const, params: progressParams(token, update) };
      extra.sendNotification(notification).catch(ignoreClosed);
    };
    const budget = budgetOrError(options.maxResponseBytes);
    if (budget instanceof ReaError) return toCallToolResult({ ok: false, error: budget.toObject() }, 0);
    const reply = await loader
      .call(name, input, token === undefined ? { signal } : { signal, progress: send })
      .catch((error: unknown) => ({ ok: false as const, error: toReaError(error, "start").toObject() }))
      .finally(release);
    if (reply === undefined) throw new McpError(ErrorCode.InvalidParams, "Unknown tool. Call tools/list for the names.");
    return toCallToolResult(reply, budget);
  };
  server.fallbackRequestHandler = async (request, extra) => {
    // Not through the library's schema for calls: that copies the arguments and loses what it does not expect.
    if (request.method === "tools/call") return callTool(request.params, extra);
    if (versions.tasks && request.method.startsWith("tasks/")) return tasks.answer(request, extra.signal, budgetOrError(options.maxResponseBytes));
    const reply = request.method === "tools/list" ? { tools: listed(versions.tasks) } : emptyLists[request.method];
    if (reply === undefined) throw new McpError(ErrorCode.MethodNotFound, "Method not found");
    return { ...reply };
  };

  const catalogue = facade ? facadeCatalogue : options.catalogue;
  const listed = (withTasks: boolean) => (withTasks ? catalogue.map((entry) => ({ ...entry, execution: { taskSupport: "optional" } })) : catalogue);

  await server.connect(versions.transport);
  return {
    async close() {
      calls.end();
      const outcome = await loader.close();
      await server.close();
      return outcome;
    },
  };
}

type CallExtra = Parameters<NonNullable<Server["fallbackRequestHandler"]>>[1];

function budgetOrError(setting: string | undefined): number | ReaError {
  try {
    return frameBudget(setting);
  } catch (error) {
    return toReaError(error, "configuration");
  }
}

function progressParams(progressToken: string | number, update: ProgressUpdate) {
  return {
    progressToken,
    progress: update.completed,
    ...(update.total === undefined ? {} : { total: update.total }),
    message: update.message,
  };
}

/** A notification that finds the connection closed has nobody to reach. */
function ignoreClosed(): void {
  return undefined;
}

/** REA asks no client for input, so no answer of a client is ever validated. */
const noValidator = {
  getValidator<T>() {
    return (_input: unknown): { valid: false; data: undefined; errorMessage: string } & { readonly never?: T } => ({
      valid: false,
      data: undefined,
      errorMessage: "not used",
    });
  },
};

function describeConnection(server: Server, protocol: string | null): ConnectionInfo {
  const client = server.getClientVersion();
  const features = server.getClientCapabilities();
  const elicitation = features?.elicitation;
  return {
    client: client === undefined ? null : { name: client.name, version: client.version },
    protocol_version: protocol,
    sdk: { "@modelcontextprotocol/sdk": sdkVersion },
    features: {
      // Before the form and url modes were named, an empty capability meant forms.
      elicitation_form: elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined),
      elicitation_url: elicitation?.url !== undefined,
      roots: features?.roots !== undefined,
      sampling: features?.sampling !== undefined,
    },
  };
}

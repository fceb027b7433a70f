import type { CapabilityPorts, ErrorObject, Evidence, OperationName, RetainedWhole, UnknownRevision } from "@rea/core";
import type { Tool } from "./define-tool.js";

/** What a surface learned about its caller; shown by `binary_session`. */
export interface ConnectionInfo {
  readonly client: { readonly name: string; readonly version: string } | null;
  readonly protocol_version: string | null;
  readonly sdk: { readonly [name: string]: string };
  readonly features: {
    readonly elicitation_form: boolean;
    readonly elicitation_url: boolean;
    readonly roots: boolean;
    readonly sampling: boolean;
  };
}

/** The session as `invoke()` sees it: one per client connection. */
export interface ToolHost {
  readonly ports: CapabilityPorts;
  /** Whether the bound or composed providers offer an operation now. */
  offers(operation: OperationName): boolean;
  /** Throws the typed error that matches the tool's reported availability; returns when it can be called. */
  requireAvailable(tool: Tool): void;
  /** Runs a call under the session's admission rule: target transitions wait for admitted calls and refuse new ones. */
  admit<T>(tool: Tool, work: () => Promise<T>): Promise<T>;
  /**
   * Adds a record, what it commits to, and the revision of an unknown that it reports; idempotent by id; throws `truncated`
   * at a ledger bound.
   */
  record(evidence: Evidence, wholes: readonly RetainedWhole[], unknownRevision?: UnknownRevision): Promise<void>;
  connected(info: ConnectionInfo): void;
}

export type ToolSuccess =
  | { readonly result: unknown }
  | { readonly result: unknown; readonly evidence_id: string; readonly evidence: Evidence };

/** The outcome of one call, equal on every surface. */
export type ToolReply =
  | { readonly ok: true; readonly value: ToolSuccess }
  | { readonly ok: false; readonly error: ErrorObject };

/** What a surface needs to serve tools. */
export interface ToolService {
  readonly tools: readonly Tool[];
  readonly host: ToolHost;
  /** Releases everything owned; safe to call twice; lists what remains. */
  close(): Promise<{ readonly remaining: readonly { readonly kind: string; readonly detail: string }[] }>;
}

import type { JsonValue } from "@rea/core";
import type { Found, Span } from "./fact.js";
import type { PathText } from "./path-text.js";

/** A path that code names, or that it puts together at run time. */
export interface AskedPath {
  /** Null when it is not constant. */
  readonly path: PathText | null;
  readonly at: Span;
}

export interface PreferenceFact {
  readonly name: string;
  /** Null for what is not a literal. */
  readonly value: JsonValue;
  readonly state: "literal" | "dynamic";
  readonly at: Span;
}

export interface WindowFact extends Found {
  readonly kind: "BrowserWindow" | "BrowserView" | "WebContentsView" | "Tray" | "BaseWindow";
  readonly options: "literal" | "dynamic" | "missing";
  readonly preferences: readonly PreferenceFact[];
  /** Parts of the preferences are put in at run time. */
  readonly isOpen: boolean;
  readonly preload: AskedPath | null;
}

export interface LoadFact extends Found {
  readonly method: "loadURL" | "loadFile";
  readonly target: string | null;
  readonly path: PathText | null;
}

/** A name of another module, as it is asked for. */
export interface ModuleName {
  readonly module: string;
  readonly path: readonly string[];
}

export interface BridgeMember {
  readonly name: string;
  readonly at: Span;
  /** The function of this file that it is; null for what is none, or stands elsewhere. */
  readonly body: Span | null;
  /** What of another module it is. */
  readonly from: ModuleName | null;
}

export interface BridgeFact extends Found {
  readonly key: string | null;
  readonly members: readonly BridgeMember[];
  /** What of another module the API is. */
  readonly from: ModuleName | null;
  /** The API is not an object literal. */
  readonly isOpen: boolean;
}

export type IpcOperation =
  | "invoke"
  | "send"
  | "send-sync"
  | "post-message"
  | "send-to-host"
  | "handle"
  | "handle-once"
  | "on"
  | "once"
  | "remove-handler"
  | "remove-listener"
  | "send-to-renderer"
  | "renderer-on"
  | "renderer-once"
  | "renderer-remove";

export interface IpcFact extends Found {
  readonly side: "main" | "renderer";
  readonly operation: IpcOperation;
  /** Method as it is written. */
  readonly method: string;
  /** Null when it is not constant here. */
  readonly channel: string | null;
  /** A constant of another module that the channel is: its specifier and path of names. */
  readonly channelReference: ModuleName | null;
  /** The function whose first parameter the channel is. */
  readonly channelGiver: Span | null;
  readonly form: "inline" | "identifier" | "member" | "dynamic" | null;
  readonly senderChecks: readonly { readonly check: "url" | "origin" | "frame" | "ids"; readonly at: Span }[];
}

export interface GuardFact extends Found {
  readonly guard: "navigation" | "window-open" | "permission" | "content-security-policy" | "open-external" | "webview" | "certificate" | "command-line" | "web-request";
  /** A value that belongs to it: a policy, a switch. */
  readonly value: string | null;
}

export interface ProtocolFact extends Found {
  readonly method: string;
  readonly scheme: string | null;
}

export interface UpdaterFact extends Found {
  readonly kind: string;
  readonly value: string | null;
}

export interface UtilityFact extends Found {
  /** The script that the process runs; null when it is not constant. */
  readonly entry: PathText | null;
}

export interface ElectronFacts {
  readonly windows: readonly WindowFact[];
  readonly loads: readonly LoadFact[];
  readonly bridges: readonly BridgeFact[];
  readonly ipc: readonly IpcFact[];
  readonly guards: readonly GuardFact[];
  readonly protocols: readonly ProtocolFact[];
  readonly updaters: readonly UpdaterFact[];
  readonly utilities: readonly UtilityFact[];
  /** Preload scripts that a session is given. */
  readonly sessionPreloads: readonly AskedPath[];
}

export const noElectronFacts: ElectronFacts = { windows: [], loads: [], bridges: [], ipc: [], guards: [], protocols: [], updaters: [], utilities: [], sessionPreloads: [] };

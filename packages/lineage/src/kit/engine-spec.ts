import type { StartRequest } from "../start-request.js";
import type { EngineEndpoint } from "./engine-endpoint.js";
import type { EngineCloseOutcome } from "./engine-holdings.js";
import type { EngineProtocol } from "./engine-protocol.js";
import type { PrivateDirectory } from "./private-directory.js";

/** What an adapter gets to write its engine's descriptor or bootstrap with. */
export interface EngineSession {
  readonly directory: PrivateDirectory;
  readonly endpoint: EngineEndpoint;
  /**
   * What the engine's first line has to show: `{"hello":1,"token":"…"}`. Goes into files of the directory only, never into
   * arguments or the environment.
   */
  readonly token: string;
  /** Aborted when the start is given up: stop writing. */
  readonly signal: AbortSignal;
}

/** How an engine is started; bounds and ownership are the kit's. */
export type EngineLaunch = Pick<StartRequest, "executable" | "arguments" | "environment" | "workingDirectory" | "becomes" | "byGivenName" | "isolation">;

/** All that differs from one engine to the next. */
export interface EngineSpec {
  readonly providerId: string;
  readonly protocol: EngineProtocol;
  /** From the call to the handshake and through `ready`, in milliseconds. */
  readonly startupMs: number;
  readonly prepare: (session: EngineSession) => Promise<EngineLaunch>;
  /** Where private directories are made; default: the host's temporary directories. */
  readonly parents?: readonly string[];
  /** Told when a start that failed left something behind: the way to try again to remove it. */
  readonly onIncomplete?: (again: () => Promise<EngineCloseOutcome>) => void;
}

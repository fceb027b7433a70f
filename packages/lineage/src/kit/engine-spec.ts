import type { ReaError } from "@rea/core";
import type { OwnedProcess } from "../owned-process.js";
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
  /** A process that the engine needs beside it, such as a display: it is ended after the engine, whatever becomes of that. */
  keep(companion: OwnedProcess): void;
  /** Ends the start for a reason that only the adapter sees; of no effect once the engine is up. */
  fail(error: ReaError): void;
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
  /** The program hands over to one that is not ours and exits with 0: the engine is there for as long as its connection is. */
  readonly handsOver?: boolean;
  /** Where private directories are made; default: the host's temporary directories. */
  readonly parents?: readonly string[];
  /** Told when a start that failed left something behind: the way to try again to remove it. */
  readonly onIncomplete?: (again: () => Promise<EngineCloseOutcome>) => void;
}

import type { ProtocolMapping } from "devtools-protocol/types/protocol-mapping.js";
import { scenarioMethods } from "../scenario/scenario-methods.js";

type Method = keyof ProtocolMapping.Commands;

/** What may be sent to the main process: enough to load the hook before the application, and to ask it. */
export const mainProcessMethods = [
  "Debugger.disable",
  "Debugger.enable",
  "Debugger.evaluateOnCallFrame",
  "Debugger.resume",
  "Runtime.disable",
  "Runtime.enable",
  "Runtime.evaluate",
  "Runtime.runIfWaitingForDebugger",
] as const satisfies readonly Method[];

/** What may be sent to the windows. */
export const windowMethods = [...scenarioMethods, "Page.crash", "Page.reload"] as const satisfies readonly Method[];

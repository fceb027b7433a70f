export { captureProcess, type FinishedCapture } from "./run/capture-process.js";
export type { CaptureHost, CaptureOptions } from "./run/prepared-capture.js";
export { commitmentsOf } from "./commitments.js";
export { runReplayMachine } from "./replay/run-replay-machine.js";
export { checkCapture } from "./compare/checked-capture.js";
export { compareCaptures, type CaptureComparisonInput } from "./compare/compare-captures.js";
export { linearPattern } from "./normalize/linear-pattern.js";

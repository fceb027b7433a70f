export { captureProcess, type FinishedCapture } from "./run/capture-process.js";
export type { CaptureHost, CaptureOptions } from "./run/prepared-capture.js";
export { commitmentsOf } from "./commitments.js";

import { parentPort } from "node:worker_threads";
import { compareBinaries, type BinarySide } from "./binaries/compare-binaries.js";

/** Entry point of a thread that compares two programs once. */

interface ThreadTask {
  readonly left: BinarySide;
  readonly right: BinarySide;
  readonly offset: number;
  readonly limit: number;
  readonly names: boolean;
}

parentPort?.once("message", ({ left, right, ...request }: ThreadTask) => {
  parentPort?.postMessage(compareBinaries(left, right, { ...request, checkpoint: () => undefined }));
});

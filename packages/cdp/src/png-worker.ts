import { parentPort } from "node:worker_threads";
import { comparePixels } from "./png/compare-pixels.js";
import { decodePng } from "./png/decode-png.js";
import { DifferenceImage } from "./png/difference-image.js";
import type { PixelImage } from "./png/pixel-image.js";
import type { ThreadReply, ThreadTask } from "./png/thread-messages.js";

/**
 * Entry point of a thread that decodes one image. The thread of the right image hands its pixels out; that of the left one
 * waits for them and compares. It loads nothing but the decoder, because each comparison starts two.
 */

class ImageProblem extends Error {}

function work(task: ThreadTask): void {
  const own = decodePng(task.file, (problem) => new ImageProblem(problem));
  if (task.side === "right") return reply({ kind: "pixels", image: own }, [own.samples.buffer]);
  parentPort?.once("message", (right: PixelImage) => compare(own, right, task));
}

function compare(left: PixelImage, right: PixelImage, { threshold, difference }: ThreadTask): void {
  const picture = difference ? new DifferenceImage(left) : null;
  const comparison = comparePixels(left, right, { threshold, ...(picture === null ? {} : { onChange: picture.mark }) });
  reply({ kind: "comparison", comparison, picture: picture === null ? null : new Uint8Array(picture.encode()) });
}

function reply(message: ThreadReply, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer);
}

parentPort?.once("message", (task: ThreadTask) => {
  try {
    work(task);
  } catch (error) {
    if (!(error instanceof ImageProblem)) throw error;
    reply({ kind: "problem", problem: error.message });
  }
});

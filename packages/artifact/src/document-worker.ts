import { parentPort } from "node:worker_threads";
import { decodeDocument, type DocumentTask } from "./documents/decode-document.js";

/** Entry point of a thread that decodes one document. */

parentPort?.once("message", (task: DocumentTask) => {
  parentPort?.postMessage(decodeDocument(task));
});

import { statSync } from "node:fs";
import { openImage, type BinaryImage } from "@rea/binary";
import { disassemblerFor } from "../analysis/analyze-program.js";
import type { WorkerTarget } from "./messages.js";
import { openHashed, TargetFile, type HashedFile } from "./target-file.js";

/** Larger files are read when they are asked for, as reading them cannot be stopped here. */
const mostBytes = 64 * 1024 * 1024;

/** What a thread reads of a file before anybody has said what is wanted of it; it says nothing about the file. */
export class ReadAhead {
  #file: HashedFile | undefined;

  /** Reads and hashes the file and loads the decoder for its code. Whatever goes wrong shows when it is asked for. */
  async read(path: string): Promise<void> {
    try {
      if (statSync(path).size > mostBytes) return;
      this.#file = openHashed(path, () => undefined);
      await loadDecoder(openImage(this.#file.opened));
    } catch {
      // The same happens to who asks for the file, and is answered there.
      return;
    }
  }

  /** The target's file when it is the one that was read, and unchanged; once. */
  take(target: WorkerTarget): TargetFile | undefined {
    const hashed = this.#file;
    this.#file = undefined;
    const file = hashed === undefined ? undefined : TargetFile.of(target, hashed);
    if (file?.isCurrent === true) return file;
    hashed?.opened.close();
    return undefined;
  }
}

/** The modules stay loaded; an analysis makes its own decoder, which may learn from its image. */
async function loadDecoder(image: BinaryImage): Promise<void> {
  const disassembler = await disassemblerFor(image);
  await disassembler.prepareText();
}

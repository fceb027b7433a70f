import { join } from "node:path";
import type { BinaryImage } from "@rea/binary";
import { disassemblerFor } from "../analysis/analyze-program.js";
import type { AnalyzedProgram } from "../analysis/analyzed-program.js";
import type { WorkBounds } from "../analysis/work-bounds.js";
import { isSystemError, prepareDirectory, refusalOf, trim } from "./cache-directory.js";
import { fileBytes, fileName, readCacheFile, writeCacheFile, type CacheKey } from "./cache-file.js";
import { largestEntry, standardCacheBytes, type AnalysisCacheSettings } from "./cache-settings.js";
import { readProgram, sectionsVersion, writeProgram } from "./program-sections.js";
import { DamagedCache } from "./sections.js";

/** Programs with less code are analysed about as fast as a file is read, in a process that has just started too. */
const leastCodeBytes = 4 * 1024;

/** Told in fixed words what became of the cache; never part of a result. */
export type CacheNote = (text: string) => void;

interface CachedTarget {
  readonly settings: AnalysisCacheSettings;
  readonly target: string;
  readonly profile: string;
  readonly note: CacheNote;
}

/** The finished analysis of one target on disk. Nothing that goes wrong here fails a call: it is noted, and the target analysed. */
export class AnalysisCache {
  readonly #settings: AnalysisCacheSettings;
  readonly #key: CacheKey;
  readonly #path: string;
  readonly #note: CacheNote;
  #kept: "none" | "without_strings" | "whole" = "none";

  constructor({ settings, target, profile, note }: CachedTarget) {
    this.#settings = settings;
    this.#key = { version: settings.version, target, profile };
    this.#path = join(settings.directory, fileName(this.#key));
    this.#note = note;
  }

  /** The analysis an earlier process kept; undefined when there is none that can be used. */
  async load(image: BinaryImage, bounds?: WorkBounds): Promise<AnalyzedProgram | undefined> {
    const refusal = refusalOf(this.#settings.directory);
    if (refusal !== undefined) {
      if (refusal !== "missing") this.#note(`The analysis cache is not used: its directory is ${refusal}.`);
      return undefined;
    }
    try {
      const body = readCacheFile(this.#path, this.#key, { format: sectionsVersion, bytes: largestEntry(this.#settings) });
      if (body === undefined) return undefined;
      return await this.#restore(body, image, bounds);
    } catch (error) {
      if (!(error instanceof DamagedCache) && !isSystemError(error)) throw error;
      this.#note(`A kept analysis was ignored: ${error instanceof DamagedCache ? error.message : "it could not be read"}.`);
      return undefined;
    }
  }

  /** True when the program is worth keeping and not yet kept as far as it is known. */
  wants(program: AnalyzedProgram): boolean {
    if (program.coverage.codeBytes < leastCodeBytes || program.parts.disassembler.learns === true) return false;
    return this.#kept === "none" || (this.#kept === "without_strings" && program.knownStrings !== undefined);
  }

  /** Keeps the program; a failure is noted and not tried again. */
  async keep(program: AnalyzedProgram): Promise<void> {
    const strings = program.knownStrings;
    this.#kept = strings === undefined ? "without_strings" : "whole";
    const refusal = prepareDirectory(this.#settings.directory);
    if (refusal !== undefined) {
      this.#note(`The analysis is not kept: the cache directory is ${refusal}.`);
      return;
    }
    try {
      const body = writeProgram(program.parts, strings);
      if (fileBytes(body) > largestEntry(this.#settings)) {
        this.#note("The analysis is not kept: it is larger than a quarter of the cache.");
        return;
      }
      await writeCacheFile(this.#path, this.#key, sectionsVersion, body);
      trim(this.#settings.directory, this.#settings.maximumBytes ?? standardCacheBytes, fileName(this.#key));
    } catch (error) {
      if (!isSystemError(error) && !(error instanceof RangeError)) throw error;
      this.#note("The analysis is not kept: it could not be written.");
    }
  }

  async #restore(body: Uint8Array, image: BinaryImage, bounds: WorkBounds | undefined): Promise<AnalyzedProgram> {
    const disassembler = await disassemblerFor(image);
    const { program, hasStrings } = readProgram(body, image, disassembler, bounds);
    await disassembler.prepareText();
    this.#kept = hasStrings ? "whole" : "without_strings";
    return program;
  }
}

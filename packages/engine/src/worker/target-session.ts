import {
  formatAddress,
  parseAddress,
  ReaError,
  type Address,
  type ByteSource,
  type JsonObject,
  type ProgressReporter,
} from "@rea/core";
import type { BinaryImage } from "@rea/binary";
import { analyzeProgram } from "../analysis/analyze-program.js";
import type { AnalyzedProgram } from "../analysis/analyzed-program.js";
import { WorkBounds } from "../analysis/work-bounds.js";
import { annotationsOf } from "../annotations/annotations-of-target.js";
import type { AnnotationStore } from "../annotations/annotation-store.js";
import { AnalysisCache, type CacheNote } from "../cache/analysis-cache.js";
import { nativeProfile } from "../native-profile.js";
import type { AnnotationQuery } from "../operations/annotate.js";
import type { Answer } from "../operations/answer.js";
import { initialCursor } from "../operations/cursor.js";
import { isNativeOperation } from "../native-operations.js";
import { handlerOf } from "../operations/handlers.js";
import { MappedMemory } from "../operations/mapped-memory.js";
import { ProgramNames } from "../operations/program-names.js";
import type { ImageQuery, ProgramQuery } from "../operations/query.js";
import type { Program } from "../program.js";
import { SearchCache } from "../search/search-cache.js";
import type { Cancellation } from "./cancellation.js";
import type { WorkerAnswer, WorkerCall, WorkerSession, WorkerTarget } from "./messages.js";
import type { ReadAhead } from "./read-ahead.js";
import { TargetFile } from "./target-file.js";
import { openTargetImage } from "./target-image.js";
import { answerStatic, isStaticOperation } from "./static-operations.js";
import { watchedSource } from "./watched-source.js";

interface Opened {
  readonly file: TargetFile;
  readonly image: BinaryImage;
  readonly memory: MappedMemory;
  /** Where a cursor starts; found when somebody asks, as it takes reading tables of the file. */
  readonly start: () => Address | undefined;
  readonly searches: SearchCache;
}

interface Analysed {
  readonly program: AnalyzedProgram;
  readonly cache: AnalysisCache | undefined;
  readonly stores: WeakMap<AnnotationStore, ProgramNames>;
}

interface SessionHost {
  readonly note: CacheNote;
  /** May hold the file already. */
  readonly ahead?: ReadAhead;
}

/** One call as the session works on it. */
export interface SessionCall {
  readonly call: WorkerCall;
  readonly cancellation: Cancellation;
  readonly progress: ProgressReporter;
}

/** One target inside its worker: the bytes are read once, the image built once, the program analysed when first asked for. */
export class TargetSession {
  readonly #target: WorkerTarget;
  readonly #host: SessionHost;
  readonly #stores = new Map<string, AnnotationStore>();
  #file: TargetFile | undefined;
  #opened: Opened | undefined;
  #analysed: Analysed | undefined;
  /** Of the call at hand: what was begun for one call may go on for another. */
  #cancellation: Cancellation | undefined;
  #analysing = false;

  constructor(target: WorkerTarget, host: SessionHost) {
    this.#target = target;
    this.#host = host;
  }

  /** Throws the operation's typed errors, `target_unavailable` when the file changed, and `cancelled`. */
  async answer(session: SessionCall): Promise<WorkerAnswer> {
    const { cancellation } = session;
    cancellation.checkpoint();
    this.#cancellation = cancellation;
    const file = this.#openFile(cancellation.checkpoint);
    file.verify();
    const found = await this.#run(session, file);
    // What was read while the file changed must not be published.
    file.verify();
    cancellation.checkpoint();
    return { ...found, locations: [...found.locations], limitations: [...found.limitations], cursor: cursorText(found) };
  }

  /** Asked after an answer: writes the analysis to the cache, where there is something that is not in it. */
  keeper(): (() => Promise<void>) | undefined {
    const { program, cache } = this.#analysed ?? {};
    if (program === undefined || cache?.wants(program) !== true) return undefined;
    return () => cache.keep(program);
  }

  async #run(session: SessionCall, file: TargetFile): Promise<Answer<unknown>> {
    const { operation, params, session: asker } = session.call;
    if (isStaticOperation(operation)) {
      return answerStatic(operation, { target: this.#target, source: file.source, params });
    }
    if (!isNativeOperation(operation) || asker === null) throw notOffered(operation);
    const handler = handlerOf(operation);
    const query = this.#imageQuery(session, file, asker);
    const found =
      handler.needs === "image"
        ? handler.run(query, params)
        : handler.run(await this.#programQuery(query, session), params);
    return withAnnotations(found, query.annotations);
  }

  #openFile(checkpoint: () => void): TargetFile {
    this.#file ??= this.#host.ahead?.take(this.#target) ?? TargetFile.open(this.#target, checkpoint);
    return this.#file;
  }

  #imageQuery({ cancellation }: SessionCall, file: TargetFile, asker: WorkerSession): AnnotationQuery {
    this.#opened ??= openTarget(this.#target, file, watchedSource(file.source, () => this.#askWhileAnalysing()));
    const { image, memory, start, searches } = this.#opened;
    const annotations = this.#annotations(asker.stateDirectory);
    return {
      image,
      memory,
      annotations,
      searches,
      get cursor() {
        return asker.cursor === null ? start() : (parseAddress(asker.cursor) ?? start());
      },
      author: asker.author,
      checkpoint: cancellation.checkpoint,
    };
  }

  async #programQuery(query: AnnotationQuery, call: SessionCall): Promise<ProgramQuery> {
    this.#analysed ??= await this.#analyse(query.image, call);
    const { program, stores } = this.#analysed;
    const names = stores.get(query.annotations) ?? new ProgramNames(program, query.annotations);
    stores.set(query.annotations, names);
    return withProgram(query, program, names);
  }

  async #analyse(image: BinaryImage, call: SessionCall): Promise<Analysed> {
    this.#analysing = true;
    try {
      return await this.#analyseWatched(image, call);
    } catch (error) {
      // A reader that was stopped inside a table has noted half of its findings.
      this.#opened = undefined;
      throw error;
    } finally {
      this.#analysing = false;
    }
  }

  async #analyseWatched(image: BinaryImage, { call, cancellation, progress }: SessionCall): Promise<Analysed> {
    const cache = this.#cacheOf(call);
    const shouldStop = (): boolean => this.#cancellation?.isRequested === true;
    const kept = await cache?.load(image, new WorkBounds({ shouldStop }));
    cancellation.checkpoint();
    const program = kept ?? (await analyzeProgram(image, { progress, shouldStop }));
    return { program, cache, stores: new WeakMap() };
  }

  #askWhileAnalysing(): void {
    if (this.#analysing) this.#cancellation?.checkpoint();
  }

  #cacheOf({ session }: WorkerCall): AnalysisCache | undefined {
    const settings = session?.cache ?? undefined;
    const { sha256: target } = this.#target;
    if (settings === undefined || target === null) return undefined;
    return new AnalysisCache({ settings, target, profile: nativeProfile(this.#target).digest, note: this.#host.note });
  }

  #annotations(stateDirectory: string): AnnotationStore {
    const store = this.#stores.get(stateDirectory) ?? annotationsOf(this.#target, stateDirectory);
    this.#stores.set(stateDirectory, store);
    store.refresh();
    return store;
  }
}

/** Spreading the query would ask for the cursor, which few operations need. */
function withProgram(query: ImageQuery, program: Program, names: ProgramNames): ProgramQuery {
  const { image, memory, annotations, searches, checkpoint } = query;
  return {
    image,
    memory,
    annotations,
    searches,
    get cursor() {
      return query.cursor;
    },
    checkpoint,
    program,
    names,
  };
}

function openTarget(target: WorkerTarget, file: TargetFile, source: ByteSource): Opened {
  const image = openTargetImage(target, source);
  const memory = new MappedMemory(image);
  return { file, image, memory, start: lazily(() => initialCursor(image, memory)), searches: new SearchCache() };
}

function lazily<T>(compute: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: compute() }).value;
}

function withAnnotations(found: Answer<unknown>, annotations: AnnotationStore): Answer<unknown> {
  const digest = annotations.digest();
  const extra: JsonObject = digest === undefined ? {} : { annotations_sha256: digest };
  const limitations = [...new Set([...found.limitations, ...annotations.limitations()])];
  return { ...found, limitations, resolved: { ...found.resolved, ...extra } };
}

function cursorText({ cursor }: Answer<unknown>): string | null {
  return cursor === undefined ? null : formatAddress(cursor);
}

function notOffered(operation: string): ReaError {
  return new ReaError("capability_unavailable", {
    message: "The embedded provider does not offer that operation. Call binary_session for the operations it offers.",
    details: { provider_id: "rea-native", operation },
  });
}

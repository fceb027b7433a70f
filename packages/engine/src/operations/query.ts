import type { Address } from "@rea/core";
import type { BinaryImage } from "@rea/binary";
import type { AnnotationStore } from "../annotations/annotation-store.js";
import type { Program } from "../program.js";
import type { SearchCache } from "../search/search-cache.js";
import type { MappedMemory } from "./mapped-memory.js";
import type { ProgramNames } from "./program-names.js";

/** What an operation that needs no analysis works on. */
export interface ImageQuery {
  readonly image: BinaryImage;
  readonly memory: MappedMemory;
  readonly annotations: AnnotationStore;
  /** Where the session's cursor stands; undefined when the image maps nothing. */
  readonly cursor: Address | undefined;
  readonly searches: SearchCache;
  /** Throws `cancelled` once the caller gave up; long loops call it now and then. */
  readonly checkpoint: () => void;
}

/** What an operation over the analysed program works on. */
export interface ProgramQuery extends ImageQuery {
  readonly program: Program;
  readonly names: ProgramNames;
}

/** A program's sources, ready to compile. */
export interface SourceSet {
  readonly name: string;
  readonly language: "c" | "c++";
  readonly kind: "program" | "library";
  readonly files: readonly string[];
  readonly flags: readonly string[];
  /** Needs no C library's headers but those of `corpus/freestanding`. */
  readonly freestanding: boolean;
  /** Large ones are built at one level only. */
  readonly levels: readonly string[];
}

/** Sources that could not be had, and why. */
export interface AbsentSources {
  readonly name: string;
  readonly reason: string;
}

export const allLevels = ["-O0", "-O2", "-O3"] as const;

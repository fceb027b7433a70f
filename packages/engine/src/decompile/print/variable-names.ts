import { libraryFunction } from "../calls/library.js";
import type { Variable } from "../lower/code.js";
import type { ProgramView } from "../program/program-view.js";

/** Words that C, its usual headers or this text itself give a meaning. */
const taken = new Set(
  ("auto break case char const continue default do double else enum extern float for goto if inline int long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while " +
    "asm typeof bool true false alignas alignof nullptr thread_local constexpr frame NULL EOF FILE DIR I errno stdin stdout stderr environ unix linux i386 major minor makedev signgam optarg optind opterr optopt " +
    "size_t ssize_t ptrdiff_t wchar_t off_t time_t pid_t va_list int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t INFINITY NAN HUGE_VAL").split(" "),
);

/** Gives each variable of one function its own name, that of the source where it is known and free. */
export class VariableNames {
  readonly #wanted: ReadonlyMap<Variable, string>;
  readonly #view: ProgramView;
  readonly #used = new Set<string>();
  readonly #reserved = new Set<string>();

  constructor(wanted: ReadonlyMap<Variable, string>, view: ProgramView) {
    this.#wanted = wanted;
    this.#view = view;
  }

  /** The name for the variable; `plain` is what it has without debug information. */
  choose(variable: Variable, plain: string): string {
    const wanted = this.#wanted.get(variable);
    const base = wanted === undefined ? plain : this.#allowed(wanted);
    if (base === undefined) return this.#take(plain);
    return this.#take(base);
  }

  /** True where a name is still free; it then stands for something else than a variable. */
  reserve(name: string): boolean {
    if (this.#used.has(name)) return false;
    this.#reserved.add(name);
    return true;
  }

  #take(base: string): string {
    let name = base;
    for (let number = 2; this.#used.has(name) || this.#reserved.has(name); number += 1) name = `${base}_${String(number)}`;
    this.#used.add(name);
    return name;
  }

  /** As C allows it beside what else the text names; undefined for what cannot be one. */
  #allowed(name: string): string | undefined {
    if (!/^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(name) || name.startsWith("__") || name.startsWith("rea_")) return undefined;
    const isOther = taken.has(name) || /^(?:(?:v|arg|L)\d+|sub_.*|section_.*)$/.test(name) || libraryFunction(name) !== undefined || this.#view.isNamed(name);
    return isOther ? `${name}_` : name;
  }
}

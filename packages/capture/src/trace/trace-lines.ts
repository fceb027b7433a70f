/** One complete event of a tracer's log. */
export interface TraceLine {
  readonly pid: number;
  /** Milliseconds of the calendar clock. */
  readonly timeMs: number;
  readonly event:
    | { readonly kind: "call"; readonly name: string; readonly args: string; readonly result: string | null }
    | { readonly kind: "exited"; readonly code: number }
    | { readonly kind: "killed"; readonly signal: string };
}

interface Begun {
  readonly name: string;
  readonly args: string;
}

const head = /^(\d{1,10}) +(\d{1,12})\.(\d{6}) (.*)$/s;
const maximumOpenCalls = 10_000;

/**
 * Reads the log of `strace -f -ttt -xx` line by line; a call that was interrupted by another process's line is put together
 * again. What is no such line is passed over and counted.
 */
export class TraceLines {
  readonly #begun = new Map<number, Begun>();
  #strange = 0;

  get strange(): number {
    return this.#strange;
  }

  take(line: string): TraceLine | null {
    const match = head.exec(line);
    if (match === null) {
      if (line !== "") this.#strange += 1;
      return null;
    }
    const [, pid = "", seconds = "", micros = "", body = ""] = match;
    const event = this.#event(Number(pid), body);
    if (event === null) return null;
    return { pid: Number(pid), timeMs: Number(seconds) * 1000 + Math.floor(Number(micros) / 1000), event };
  }

  /** Calls that had not returned when the log ended. */
  unfinished(): readonly { readonly pid: number; readonly name: string; readonly args: string }[] {
    return [...this.#begun].map(([pid, begun]) => ({ pid, ...begun }));
  }

  #event(pid: number, body: string): TraceLine["event"] | null {
    const ended = /^\+\+\+ (?:exited with (\d{1,3})|killed by (SIG[A-Z0-9]+)(?: \(core dumped\))?) \+\+\+$/.exec(body);
    if (ended !== null) {
      this.#begun.delete(pid);
      return ended[2] === undefined ? { kind: "exited", code: Number(ended[1]) } : { kind: "killed", signal: ended[2] };
    }
    const unfinished = /^([a-z_0-9]+)\((.*?) ?<unfinished \.\.\.>$/s.exec(body);
    if (unfinished !== null) {
      if (this.#begun.size < maximumOpenCalls) this.#begun.set(pid, { name: unfinished[1] ?? "", args: unfinished[2] ?? "" });
      return null;
    }
    const resumed = /^<\.\.\. ([a-z_0-9]+) resumed>(.*)$/s.exec(body);
    const begun = resumed === null ? undefined : this.#begun.get(pid);
    this.#begun.delete(pid);
    if (resumed !== null && begun?.name !== resumed[1]) return this.#pass();
    return this.#call(begun === undefined ? body : `${begun.name}(${begun.args}${resumed?.[2] ?? ""}`);
  }

  #call(text: string): TraceLine["event"] | null {
    const open = text.indexOf("(");
    const end = text.lastIndexOf(")");
    const equals = text.lastIndexOf(" = ");
    const name = text.slice(0, open);
    if (open <= 0 || equals < 0 || !/^[a-z_0-9]+$/.test(name)) return this.#pass();
    // The result may hold a parenthesis of its own: ` = -1 ENOENT (No such file or directory)`.
    const close = end > equals ? text.lastIndexOf(")", equals) : end;
    if (close < open) return this.#pass();
    return { kind: "call", name, args: text.slice(open + 1, close), result: text.slice(equals + 3).trim() };
  }

  #pass(): null {
    this.#strange += 1;
    return null;
  }
}

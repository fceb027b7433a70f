import type { Extract, Header } from "tar-stream";

/** What tar-stream makes of the bytes of one member with its headers. */
export interface SeenMember {
  /** Entries it found; one is as it should be. */
  readonly entries: number;
  readonly name: string;
  /** Its own word for the kind; null for one that it does not know. */
  readonly type: string | null;
  readonly linkTarget: string | null;
  readonly sizeBytes: number;
  /** It has given the content to its end, and did not give up. */
  readonly isEnded: boolean;
}

type OnData = (chunk: Uint8Array) => void;

const nothing: SeenMember = { entries: 0, name: "", type: null, linkTarget: null, sizeBytes: 0, isEnded: false };
/** Steps of the library between the last byte and the end of an entry, generously counted. */
const mostSteps = 64;

/**
 * tar-stream reading members one after another, as if nothing else were in the archive. What it makes of a member depends on
 * that member's bytes alone: after one that it did not end where it was to end, the next is given to a fresh reader.
 */
export class TarStreamPass {
  readonly #make: () => Extract;
  #extract: Extract;
  /** Answers who takes the content of the next entry. */
  #begun: (entry: number) => OnData = () => () => undefined;
  #seen: SeenMember[] = [];
  #failed = false;
  #resume: (() => void) | undefined;

  constructor(make: () => Extract) {
    this.#make = make;
    this.#extract = this.#opened();
  }

  static async load(): Promise<TarStreamPass> {
    const { extract } = await import("tar-stream");
    // The library's types lack the first option. With the second every write is answered by `drain`.
    const options = { allowUnknownFormat: true, highWaterMark: 1 };
    return new TarStreamPass(() => extract(options));
  }

  /** Starts with a member; its content comes to `onData`, as views of what is written. */
  begin(onData: OnData): void {
    this.#seen = [];
    this.#begun = () => onData;
  }

  /** Starts with several that will be written one behind the other; `begun` is asked who takes the content of each. */
  beginAll(begun: (entry: number) => OnData): void {
    this.#seen = [];
    this.#begun = begun;
  }

  /** Gives the next bytes of the member; done when the library has taken them, and shown what it makes of them. */
  write(bytes: Uint8Array): Promise<void> {
    return new Promise((resume) => {
      if (this.#failed || bytes.byteLength === 0) return resume();
      // It works in this turn of the event loop; where it has not taken them then, it never will.
      const stuck = setImmediate(() => this.#lost(true));
      this.#resume = () => {
        clearImmediate(stuck);
        resume();
      };
      this.#extract.write(bytes);
    });
  }

  /** What became of the member whose last byte was written. */
  async end(): Promise<SeenMember> {
    await this.#settled(1);
    const last = this.#seen.at(-1) ?? nothing;
    const seen = { ...last, entries: this.#seen.length, isEnded: last.isEnded && !this.#failed };
    if (!seen.isEnded || seen.entries !== 1) this.#renew();
    return seen;
  }

  /** What became of so many members; undefined when the library found others, or did not end each. */
  async endAll(count: number): Promise<readonly SeenMember[] | undefined> {
    await this.#settled(count);
    const seen = this.#seen;
    if (!this.#failed && seen.length === count && seen.every(({ isEnded }) => isEnded)) return seen;
    this.#renew();
    return undefined;
  }

  async #settled(count: number): Promise<void> {
    for (let step = 0; step < mostSteps && !this.#failed && !(this.#seen.length >= count && this.#seen.at(-1)?.isEnded === true); step += 1) await Promise.resolve();
  }

  /** Lets go of a member that was not written to its end. */
  drop(): void {
    this.#renew();
  }

  close(): void {
    this.#extract.destroy();
  }

  #renew(): void {
    this.#extract.destroy();
    this.#extract = this.#opened();
    this.#failed = false;
    this.#seen = [];
  }

  #opened(): Extract {
    const extract = this.#make();
    const isCurrent = (): boolean => this.#extract === extract;
    extract.on("entry", (header: Header, content, next) => {
      if (!isCurrent()) return;
      const onData = this.#begun(this.#seen.length);
      const at = this.#seen.push({ entries: 1, name: header.name, type: header.type, linkTarget: header.linkname, sizeBytes: header.size, isEnded: false }) - 1;
      const seen = this.#seen;
      content.on("data", (chunk: unknown) => {
        if (isCurrent() && seen === this.#seen && chunk instanceof Uint8Array) onData(chunk);
      });
      content.on("end", () => {
        const one = seen[at];
        if (one !== undefined) seen[at] = { ...one, isEnded: true };
        if (isCurrent()) next();
      });
      // What goes wrong is told by the reader itself too.
      content.on("error", () => undefined);
    });
    extract.on("drain", () => this.#taken(isCurrent()));
    extract.on("error", () => this.#lost(isCurrent()));
    extract.on("close", () => this.#lost(isCurrent()));
    return extract;
  }

  #lost(isCurrent: boolean): void {
    if (isCurrent) this.#failed = true;
    this.#taken(isCurrent);
  }

  #taken(isCurrent: boolean): void {
    if (!isCurrent) return;
    const resume = this.#resume;
    this.#resume = undefined;
    resume?.();
  }
}

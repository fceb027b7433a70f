import type { ReaderInput } from "../../format.js";
import type { FindingReport } from "../../reading/finding-report.js";
import type { SequentialReader } from "../../reading/sequential-reader.js";
import { malformed } from "../sequential/damage.js";
import type { MemberExtensions } from "./member-facts.js";
import { arePlainRecords, isHarmlessGlobal, isPlainExtension, isPlainLongName } from "./ordinary-member.js";
import { parsePax, PaxValues, type PaxRecord } from "./pax-records.js";
import { paddingOf, type TarHeader } from "./tar-header.js";

/** No extension header with a longer body is read. */
const longestBody = 16 * 1024 * 1024;
/** Keys that make no sense for more than one member. */
const ownKeys = ["path", "linkpath", "size"];

/** Headers that tell something about the members behind them: pax (its global kind too) and GNU long names. */
export class ExtensionHeaders {
  readonly #reader: SequentialReader;
  readonly #input: ReaderInput;
  readonly #findings: FindingReport;
  readonly #global = new Map<string, Uint8Array>();
  #own: PaxRecord[] = [];
  /** Bytes of headers kept for the coming member, and of global ones. */
  #keptBytes = 0;
  #globalBytes = 0;
  #longName: Uint8Array | undefined;
  #longLink: Uint8Array | undefined;
  /** Where the first header of the coming member stands. */
  #start: number | undefined;
  /** Kinds of the headers kept for the coming member while every reader understands them alike; undefined once one does not. */
  #plain: string | undefined = "";
  /** Something before says of members behind it what their own headers do not. */
  #reachesFurther = false;
  /** The headers of the coming member as they stand, where no source has them. */
  #raw: Uint8Array[] = [];

  constructor(reader: SequentialReader, input: ReaderInput, findings: FindingReport) {
    this.#reader = reader;
    this.#input = input;
    this.#findings = findings;
  }

  get start(): number | undefined {
    return this.#start;
  }

  /** Takes the header's body when it is one of these; false for a member's own header. */
  async take(header: TarHeader, offset: number): Promise<boolean> {
    if (!"xXgLK".includes(header.typeflag)) return false;
    this.#start ??= offset;
    const isPlain = isPlainExtension(header) && this.#plain?.includes(header.typeflag) === false;
    this.#plain = isPlain ? `${this.#plain ?? ""}${header.typeflag}` : undefined;
    const body = await this.#body(header, offset);
    if (body === undefined) this.#plain = undefined;
    else this.#keep(header, body, offset);
    return true;
  }

  /** Something else stands between the headers of the coming member. */
  interrupt(): void {
    if (this.#start !== undefined) this.#plain = undefined;
  }

  /** What was said of the member at hand; the next one starts anew. */
  claim(): MemberExtensions {
    const isPlain = this.#plain !== undefined && !this.#reachesFurther;
    const claimed = { values: new PaxValues(this.#own, this.#global), longName: this.#longName, longLink: this.#longLink, isPlain, raw: this.#raw };
    this.#plain = "";
    this.#raw = [];
    this.#own = [];
    this.#keptBytes = 0;
    this.#longName = undefined;
    this.#longLink = undefined;
    this.#start = undefined;
    return claimed;
  }

  /** A concatenated archive knows nothing of the one before, and some readers nothing of it. */
  forget(): void {
    this.claim();
    this.#reachesFurther = true;
    this.#global.clear();
    this.#globalBytes = 0;
  }

  async #body({ size }: TarHeader, offset: number): Promise<Uint8Array | undefined> {
    if (size === undefined || size < 0) {
      malformed(this.#input, offset, "The size of an extended header is no number; the header was left out.");
      return undefined;
    }
    if (size > longestBody) {
      malformed(this.#input, offset, `An extended header of ${String(size)} bytes was left out; at most ${String(longestBody)} are read.`);
      await this.#reader.skip(size + paddingOf(size));
      return undefined;
    }
    const body = (await this.#reader.read(size)).slice();
    await this.#reader.skip(paddingOf(size));
    if (body.byteLength === size) return body;
    malformed(this.#input, offset, "The archive ends inside an extended header.");
    return undefined;
  }

  #keep({ block, typeflag }: TarHeader, body: Uint8Array, offset: number): void {
    if (typeflag === "g") this.#globalBytes += body.byteLength;
    else this.#keptBytes += body.byteLength;
    if (this.#keptBytes > longestBody || this.#globalBytes > longestBody) {
      malformed(this.#input, offset, "The extended headers are too many; this one was left out.");
      this.#plain = undefined;
      return;
    }
    if (this.#plain !== undefined && this.#reader.source === undefined) this.#raw.push(block, body, new Uint8Array(paddingOf(body.byteLength)));
    if (typeflag === "L") this.#longName = this.#longText(body);
    else if (typeflag === "K") this.#longLink = this.#longText(body);
    else this.#keepRecords(typeflag === "g", body, offset);
  }

  #longText(body: Uint8Array): Uint8Array {
    const text = untilNul(body);
    if (!isPlainLongName(text)) this.#plain = undefined;
    return text;
  }

  #keepRecords(global: boolean, body: Uint8Array, offset: number): void {
    const { records, brokenAt } = parsePax(body);
    if (brokenAt !== undefined || !arePlainRecords(records)) this.#plain = undefined;
    if (brokenAt !== undefined) malformed(this.#input, offset, `A pax record at byte ${String(brokenAt)} of its header is malformed; it and those behind it were left out.`);
    if (!global) {
      this.#own.push(...records);
      return;
    }
    for (const { key, value } of records) this.#global.set(key, value);
    this.#reachesFurther ||= !records.every(({ key }) => isHarmlessGlobal(key));
    if (records.some(({ key }) => ownKeys.includes(key))) {
      this.#findings.add({
        anomaly: "ambiguous_header",
        offset,
        detail: "A global pax header sets the name, link or size of every member behind it.",
        effect: "Readers that take these keys from a member's own header only see other names or sizes.",
      });
    }
  }
}

function untilNul(body: Uint8Array): Uint8Array {
  const end = body.indexOf(0);
  return end < 0 ? body : body.subarray(0, end);
}

import { escapeUntrusted, omission, pageOf, ReaError, type JsonValue, type Omission, type OperationContext, type OperationParams, type OperationResult } from "@rea/core";
import { plistJson, plistProblems, type PlistValue } from "@rea/binary";
import type { ArchivedObject, ArtifactDocument, KeyedArchive } from "@rea/artifact";
import type { Target } from "@rea/provider";
import type { StaticReply } from "../static-calls.js";
import { chooseDocument } from "./choose-document.js";
import { boundedList, documentAnswer, notOfTheFormat, shownDocument } from "./document-answer.js";
import { readList } from "./read-list.js";

const operation = "inspect_keyed_archive";
const mostAnomalies = 50;
const mostListed = 100;
/** Of one object; the page together is bounded by `pageCharacters`. */
const objectBounds = { depth: 16, values: 5000, characters: 64 * 1024, dataBytes: 4096, typed: 0 };
const pageCharacters = 1024 * 1024;
const mostObjectFields = 5000;
const mostPageFields = 20_000;

type Params = OperationParams<typeof operation>;
type Result = OperationResult<typeof operation>;
type Item = Result["objects"]["items"][number];

export async function inspectKeyedArchive(target: Target, params: Params, context: OperationContext): Promise<StaticReply> {
  const { openArtifact } = await import("@rea/artifact");
  const artifact = openArtifact(target.path);
  try {
    const wanted = {
      operation,
      relativePath: params.relative_path,
      what: "keyed archive",
      wants: (_path: string, head: Uint8Array) => looksLikeList(head),
      fits: async (document: ArtifactDocument) => (await readArchive(document, context)) !== undefined,
    };
    const document = await chooseDocument(artifact, wanted, context);
    const archive = await readArchive(document, context);
    if (archive === undefined) throw notOfTheFormat(operation, "keyed archive");
    return documentAnswer(await resultOf(document, archive, params), document, target);
  } finally {
    artifact.close();
  }
}

async function readArchive(document: ArtifactDocument, context: OperationContext): Promise<KeyedArchive | undefined> {
  const { keyedArchiveOf } = await import("@rea/artifact");
  const list = await readList(document, operation, context);
  return list === undefined ? undefined : keyedArchiveOf(list);
}

function looksLikeList(head: Uint8Array): boolean {
  return /^(?:bplist0|\s*<\?xml|\s*<plist)/u.test(Buffer.from(head).toString("latin1"));
}

async function resultOf(document: ArtifactDocument, archive: KeyedArchive, params: Params): Promise<Result> {
  const { classCounts, mostSummarised, reachableFrom, referenceOf } = await import("@rea/artifact");
  const { root, offset, limit } = params;
  if (root > 0 && root >= archive.count) throw noSuchObject(archive.count);
  const reached = root === 0 ? undefined : reachableFrom(archive, root);
  const indices = reached?.indices ?? Array.from({ length: archive.count }, (_, index) => index);
  const writer = new ObjectWriter(referenceOf);
  const page = pageOf(indices, { offset, limit }, (index) => writer.item(archive.object(index)), []);
  const omissions = [...writer.omissions(), ...(reached?.complete === false ? [tooMany()] : [])];
  const counts = classCounts(archive).map(({ name, count }) => ({ class: escapeUntrusted(name), count }));
  const top = archive.top.map(({ name, reference, value }) => ({ name: escapeUntrusted(name), reference, value: reference === null ? writer.json(value) : null }));
  return {
    document: shownDocument(document),
    format: archive.list.format,
    archiver: archive.archiver === null ? null : escapeUntrusted(archive.archiver),
    version: archive.version === null ? null : escapeUntrusted(archive.version),
    top: boundedList(top, mostListed),
    object_count: archive.count,
    classes: boundedList(counts, mostListed),
    objects: { ...page, coverage: { state: omissions.length === 0 ? "complete" : "partial", omissions } },
    anomalies: boundedList(anomaliesOf(archive, reached?.dangling ?? 0), mostAnomalies),
    limitations: archive.count > mostSummarised ? [`Classes are counted in the first ${String(mostSummarised)} objects.`] : [],
  };
}

function anomaliesOf({ list }: KeyedArchive, dangling: number) {
  const found = list.findings.map(({ problem, offset }) => ({ anomaly: problem, offset, detail: plistProblems[problem] }));
  if (dangling === 0) return found;
  return [...found, { anomaly: "dangling_reference", offset: null, detail: `${String(dangling)} references lead to no object.` }];
}

/** Objects as JSON, bounded one by one and together. */
class ObjectWriter {
  readonly #referenceOf: (value: PlistValue) => number | undefined;
  readonly #omissions: Omission[] = [];
  #characters = 0;
  #fields = 0;

  constructor(referenceOf: (value: PlistValue) => number | undefined) {
    this.#referenceOf = referenceOf;
  }

  omissions(): Omission[] {
    const merged = new Map<string, Omission>();
    for (const one of this.#omissions) {
      const known = merged.get(one.reason);
      merged.set(one.reason, known === undefined ? one : { ...one, count: (known.count ?? 0) + (one.count ?? 0) });
    }
    return [...merged.values()];
  }

  item({ index, kind, className, hierarchy, fields, value }: ArchivedObject): Item {
    const hasFields = kind === "object" || kind === "dictionary";
    const shown = this.#shownFields(fields).map((field): [string, JsonValue] => [escapeUntrusted(field.key), this.json(field.value)]);
    return {
      index,
      kind,
      class: className === null ? null : escapeUntrusted(className),
      class_hierarchy: hierarchy.map((name) => escapeUntrusted(name)),
      fields: Object.fromEntries(shown),
      value: hasFields || kind === "class" || kind === "null" ? null : this.json(value),
    };
  }

  /** As many as the page still has room for. */
  #shownFields(fields: ArchivedObject["fields"]): ArchivedObject["fields"] {
    const kept = fields.slice(0, Math.min(mostObjectFields, mostPageFields - this.#fields));
    this.#fields += kept.length;
    if (kept.length < fields.length) {
      const how_to_continue = "Page with a smaller limit, or read the file with inspect_plist.";
      this.#omissions.push(omission("Fields beyond the size of one answer.", "limit_items", { count: fields.length - kept.length, limit: mostObjectFields, how_to_continue }));
    }
    return kept;
  }

  json(value: PlistValue): JsonValue {
    const reference = this.#referenceOf(value);
    if (reference !== undefined) return { uid: reference };
    const characters = Math.max(64, Math.min(objectBounds.characters, pageCharacters - this.#characters));
    const { value: shown, omissions } = plistJson(value, { ...objectBounds, characters });
    this.#characters += value.kind === "string" ? value.text.length : 16;
    if (typeof shown === "object") this.#characters += JSON.stringify(shown).length;
    this.#omissions.push(...omissions.map((one) => ({ ...one, how_to_continue: "Page with a smaller limit, or read the file with inspect_plist." })));
    return shown;
  }
}

function tooMany(): Omission {
  return omission("Objects behind more fields than are followed.", "limit_items", { how_to_continue: "Start from a root nearer to them." });
}

function noSuchObject(count: number): ReaError {
  return new ReaError("invalid_request", {
    message: `${operation} was given a root beyond the objects of the archive (${String(count)}). Give a smaller one.`,
    details: { operation, issues: [{ path: "root", reason: "out_of_range", minimum: 0, maximum: Math.max(0, count - 1) }] },
  });
}

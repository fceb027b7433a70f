import { coverageOf, escapeUntrusted, type OperationContext, type OperationParams, type OperationResult } from "@rea/core";
import { parseKeyPath, plistJson, plistProblems, valueAt, type PlistValue, type PropertyList } from "@rea/binary";
import type { Artifact, ArtifactDocument } from "@rea/artifact";
import type { Target } from "@rea/provider";
import type { StaticReply } from "../static-calls.js";
import { boundedList, documentAnswer, noSuchDocument, notOfTheFormat, shownDocument } from "./document-answer.js";
import { embeddedList } from "./embedded-list.js";
import { readList } from "./read-list.js";

const operation = "inspect_plist";
const standardPlace = "Contents/Info.plist";
/** Where bundles without `Contents` keep it. */
const otherPlaces = ["Info.plist", "Resources/Info.plist", "Versions/Current/Resources/Info.plist"];
const inContainer = /(?:^|\.(?:app|appex|framework|bundle)\/(?:Contents\/|Resources\/)?)Info\.plist$/u;
const mostAnomalies = 50;

type Params = OperationParams<typeof operation>;

export async function inspectPlist(target: Target, params: Params, context: OperationContext): Promise<StaticReply> {
  const { openArtifact } = await import("@rea/artifact");
  const artifact = openArtifact(target.path);
  try {
    const document = await findList(artifact, params, context);
    const list = await readList(document, operation, context);
    if (list === undefined) throw notOfTheFormat(operation, "property list");
    return documentAnswer(resultOf(document, list, params.root ?? ""), document, target);
  } finally {
    artifact.close();
  }
}

async function findList(artifact: Artifact, { relative_path }: Params, context: OperationContext): Promise<ArtifactDocument> {
  const { documentAt, findDocuments, ownDocument } = await import("@rea/artifact");
  const embedded = embeddedList(artifact);
  if (embedded !== undefined) return embedded;
  const own = ownDocument(artifact, operation);
  if (own !== undefined) return own;
  const options = { ...context, operation };
  const places = relative_path === standardPlace && artifact.root.kind === "directory" ? [relative_path, ...otherPlaces] : [relative_path];
  for (const place of places) {
    const found = await documentAt(artifact, place, options);
    if (found !== undefined) return found;
  }
  if (relative_path === standardPlace && artifact.root.kind !== "directory") {
    const wants = (path: string) => inContainer.test(path);
    const [first] = (await findDocuments(artifact, { ...options, wants, maximum: 1, firstOnly: true })).documents;
    if (first !== undefined) return first;
  }
  throw noSuchDocument(operation, relative_path === standardPlace ? "no property list in a usual place" : "no file at that relative_path");
}

function resultOf(document: ArtifactDocument, list: PropertyList, root: string): OperationResult<typeof operation> {
  const wanted = valueAt(list.root, parseKeyPath(root), (text) => escapeUntrusted(text));
  const found = plistJson(wanted ?? nothing);
  const anomalies = boundedList(anomaliesOf(list, found.duplicateKeys), mostAnomalies);
  return {
    document: shownDocument(document),
    format: list.format,
    encoding: list.encoding,
    object_count: list.objectCount,
    root: escapeUntrusted(root),
    found: wanted !== undefined,
    root_type: wanted?.kind ?? null,
    value: wanted === undefined ? null : found.value,
    typed: {
      items: wanted === undefined ? [] : [...found.typed],
      returned: wanted === undefined ? 0 : found.typed.length,
      total: wanted === undefined ? 0 : found.typedTotal,
      truncated: wanted !== undefined && found.typed.length < found.typedTotal,
    },
    anomalies,
    coverage: coverageOf(found.omissions),
    limitations: wanted === undefined ? ["The key path leads to no value; root is empty for the whole list."] : [],
  };
}

const nothing: PlistValue = { kind: "array", offset: 0, length: 0, item: () => nothing };

/** After the values were asked for: a binary list is read while it is shown. */
function anomaliesOf(list: PropertyList, duplicateKeys: number) {
  const found = list.findings.map(({ problem, offset }) => ({ anomaly: problem, offset, detail: plistProblems[problem] }));
  if (duplicateKeys === 0) return found;
  const detail = `${String(duplicateKeys)} keys are repeated in their dictionary; the last value is shown.`;
  return [...found, { anomaly: "duplicate_key", offset: null, detail }];
}

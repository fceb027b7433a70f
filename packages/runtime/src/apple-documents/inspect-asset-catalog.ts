import { omission, pageOf, sha256Hex, type OperationContext, type OperationParams, type OperationResult } from "@rea/core";
import type { ArtifactDocument, AssetCatalog, CatalogRendition } from "@rea/artifact";
import type { Target } from "@rea/provider";
import type { StaticReply } from "../static-calls.js";
import { chooseDocument } from "./choose-document.js";
import { boundedList, documentAnswer, notOfTheFormat, shownDocument } from "./document-answer.js";
import { shown, shownOrNull } from "./interface-rows.js";

const operation = "inspect_asset_catalog";
const mostNames = 500;
const mostAnomalies = 50;

type Params = OperationParams<typeof operation>;
type Result = OperationResult<typeof operation>;
type Row = Result["renditions"]["items"][number];

export async function inspectAssetCatalog(target: Target, params: Params, context: OperationContext): Promise<StaticReply> {
  const { decodeAssetCatalog, isAssetCatalog, isBomStore, openArtifact } = await import("@rea/artifact");
  const artifact = openArtifact(target.path);
  try {
    const wanted = {
      operation,
      relativePath: params.relative_path,
      what: "compiled asset catalog",
      wants: (_path: string, head: Uint8Array) => isBomStore(head),
      fits: ({ bytes }: ArtifactDocument) => isAssetCatalog(bytes),
    };
    const document = await chooseDocument(artifact, wanted, context);
    const catalog = await decodeAssetCatalog(document.bytes, { offset: params.offset, limit: params.limit }, { operation, signal: context.signal });
    if (catalog === undefined) throw notOfTheFormat(operation, "compiled asset catalog");
    return documentAnswer(resultOf(document, catalog, params), document, target);
  } finally {
    artifact.close();
  }
}

function resultOf(document: ArtifactDocument, catalog: AssetCatalog, params: Params): Result {
  const indices = Array.from({ length: catalog.count }, (_, index) => index);
  const page = pageOf(indices, params, (index) => catalog.rendition(index));
  const digests = new Digests(document.bytes.byteLength);
  const items = page.items.flatMap((found) => (found === undefined ? [] : [rowOf(found, digests)]));
  const unread = items.filter(({ type }) => type === null).length;
  const damaged = catalog.findings.filter(({ problem }) => problem !== "count_mismatch").length;
  const omissions = [
    ...(damaged === 0 ? [] : [omission("Parts of the catalog behind damage.", "malformed", { count: damaged })]),
    ...(unread === 0 ? [] : [omission("Renditions of this page that have no image header.", "unsupported_format", { count: unread })]),
  ];
  return {
    document: shownDocument(document),
    header: headerOf(catalog),
    platform: platformOf(catalog),
    key_format: [...catalog.keyFormat],
    variables: boundedList(catalog.variables.map(({ name, ...more }) => ({ name: shown(name), ...more })), mostNames),
    names: boundedList(catalog.names.map(shown), mostNames),
    renditions: { ...page, items, coverage: { state: omissions.length === 0 ? "complete" : "partial", omissions } },
    anomalies: boundedList(catalog.findings.map(({ problem, offset, detail }) => ({ anomaly: problem, offset, detail })), mostAnomalies),
    limitations: [
      "Data are described as stored and not decoded to pixels.",
      "Variables that are not examined hold tables that CoreUI uses to find renditions; see variables.",
    ],
  };
}

function headerOf({ header }: AssetCatalog): Result["header"] {
  if (header === undefined) return null;
  return {
    core_ui_version: header.coreUiVersion,
    storage_version: header.storageVersion,
    timestamp: header.timestamp === 0 ? null : new Date(header.timestamp * 1000).toISOString().replace(".000Z", "Z"),
    rendition_count: header.renditionCount,
    main_version: shown(header.mainVersion),
    version: shown(header.version),
    uuid: header.uuid,
    associated_checksum: `0x${header.associatedChecksum.toString(16)}`,
    schema_version: header.schemaVersion,
    color_space_id: header.colorSpaceId,
    key_semantics: header.keySemantics,
  };
}

function platformOf({ metadata }: AssetCatalog): Result["platform"] {
  if (metadata === undefined) return null;
  return {
    name: shown(metadata.platform),
    version: shown(metadata.platformVersion),
    authoring_tool: shown(metadata.authoringTool),
    thinning_arguments: shown(metadata.thinningArguments),
  };
}

/** Digests of data, up to as many bytes as the catalog has: renditions of an honest one do not share theirs. */
class Digests {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  of(data: Uint8Array): string | null {
    this.#left -= data.byteLength;
    return this.#left < 0 ? null : sha256Hex(data);
  }
}

function rowOf({ name, idiom, appearance, attributes, stored, offset, storedBytes }: CatalogRendition, digests: Digests): Row {
  return {
    name: shownOrNull(name),
    idiom,
    appearance: shown(appearance),
    offset,
    stored_bytes: storedBytes,
    attributes: attributes.map(([attribute, value]) => ({ name: attribute, value })),
    ...(stored === undefined ? nothingStored : storedFields(stored, digests)),
  };
}

type StoredFields = Omit<Row, "name" | "idiom" | "appearance" | "offset" | "stored_bytes" | "attributes">;

function storedFields(stored: NonNullable<CatalogRendition["stored"]>, digests: Digests): StoredFields {
  const { data, color, width, height } = stored;
  return {
    file_name: stored.fileName === "" ? null : shown(stored.fileName),
    type: stored.layout,
    scale: scaleText(stored.scalePercent),
    pixel_size: width > 0 || height > 0 ? { width, height } : null,
    pixel_format: shownOrNull(stored.pixelFormat),
    encoding: stored.encoding,
    bytes: data.byteLength,
    sha256: digests.of(data),
    uti: shownOrNull(stored.uti),
    vector: stored.vector,
    opaque: stored.opaque,
    template: stored.tintable,
    packed_in: stored.packed,
    color: color === null ? null : { color_space_id: color.colorSpaceId, components: color.components.map(String) },
    problem: stored.problem,
  };
}

/** A block that is no structured image. */
const nothingStored: StoredFields = {
  file_name: null,
  type: null,
  scale: null,
  pixel_size: null,
  pixel_format: null,
  encoding: null,
  bytes: 0,
  sha256: null,
  uti: null,
  vector: false,
  opaque: false,
  template: false,
  packed_in: null,
  color: null,
  problem: "It has no image header.",
};

/** `200` is `2x`. */
function scaleText(percent: number): string | null {
  return percent === 0 ? null : `${String(percent / 100)}x`;
}

import { coverageOf, omission, type Omission, type OperationContext, type OperationParams, type OperationResult } from "@rea/core";
import type { ArtifactDocument, FoundDocuments, InterfaceDocument, StoryboardInfo, UndecodedNib } from "@rea/artifact";
import type { Target } from "@rea/provider";
import type { StaticReply } from "../static-calls.js";
import { noSuchDocument } from "./document-answer.js";
import { InterfaceRows, shown, shownOrNull, type DecodedNib } from "./interface-rows.js";

const operation = "decode_interface_builder";
/** Lists of storyboards that are read beside the nibs. */
const mostStoryboards = 64;

type Params = OperationParams<typeof operation>;
type Result = OperationResult<typeof operation>;

const nibName = /\.nib(?:\/(?:[^/]+\.)?nib)?$/iu;
const storyboardList = /^(.*\.storyboardc)\/Info(?:-[0-9.]+)?\.plist$/iu;

export async function decodeInterfaceBuilder(target: Target, params: Params, context: OperationContext): Promise<StaticReply> {
  const { findDocuments, openArtifact } = await import("@rea/artifact");
  const artifact = openArtifact(target.path);
  try {
    const isFile = artifact.root.kind !== "directory";
    const maximum = params.max_documents + mostStoryboards;
    const found = await findDocuments(artifact, { ...context, operation, maximum, wants: (path, head) => wanted(path, head, isFile) });
    const result = await resultOf(found, params, context);
    const [only] = found.documents;
    if (only?.logicalPath === "." && result.documents.length === 0) throw noSuchDocument(operation, "no compiled interface document");
    const { rootSha256: subject_sha256 } = found;
    return { result, confidence: "observed", limitations: result.limitations, locations: [], raw_result: null, resolved_parameters: {}, subject_sha256 };
  } finally {
    artifact.close();
  }
}

/** By content where that tells, else by the names that nibs and compiled storyboards have. */
function wanted(path: string, head: Uint8Array, isFile: boolean): boolean {
  const start = Buffer.from(head).toString("latin1");
  if (start.startsWith("NIBArchive")) return true;
  if (nibName.test(path) || storyboardList.test(path)) return true;
  return isFile && !path.includes("/") && start.startsWith("bplist0");
}

interface Sorted {
  readonly nibs: readonly DecodedNib[];
  readonly left: number;
  readonly unresolved: readonly { readonly logical_path: string; readonly reason: UndecodedNib }[];
  readonly storyboards: readonly { readonly path: string; readonly info: StoryboardInfo }[];
}

async function resultOf({ documents, omissions }: FoundDocuments, params: Params, { signal }: OperationContext): Promise<Result> {
  const sorted = await sortDocuments(documents, params.max_documents, signal);
  const rows = new InterfaceRows(sorted.nibs, params);
  const storyboards = sorted.storyboards.map(({ path, info }) => storyboardRow(path, info, sorted.nibs));
  const all = [...omissions, ...beyond(sorted.left, params), ...rows.omissions];
  return {
    documents: sorted.nibs.map((nib) => rows.document(nib)),
    storyboards,
    ...rows.lists(),
    unresolved_archives: { items: [...sorted.unresolved], returned: sorted.unresolved.length, total: sorted.unresolved.length, truncated: false },
    coverage: coverageOf(all),
    limitations: ["Objects and connections are read as archived; what code makes or connects at run time is not here."],
  };
}

async function sortDocuments(documents: readonly ArtifactDocument[], most: number, signal: AbortSignal): Promise<Sorted> {
  const { decodeInterfaceDocument, readStoryboardInfo } = await import("@rea/artifact");
  const nibs: DecodedNib[] = [];
  const unresolved: { logical_path: string; reason: UndecodedNib }[] = [];
  const storyboards: { path: string; info: StoryboardInfo }[] = [];
  let left = 0;
  for (const document of documents) {
    const { logicalPath, bytes } = document;
    const storyboard = storyboardList.exec(logicalPath)?.[1];
    const info = storyboard === undefined ? undefined : readStoryboardInfo(bytes);
    if (storyboard !== undefined && info !== undefined) storyboards.push({ path: storyboard, info });
    if (storyboard !== undefined) continue;
    if (nibs.length >= most) {
      left += 1;
      continue;
    }
    const decoded: InterfaceDocument | UndecodedNib = await decodeInterfaceDocument(bytes, { operation, signal });
    if (typeof decoded === "string") unresolved.push({ logical_path: logicalPath, reason: decoded });
    else nibs.push({ document, decoded });
  }
  return { nibs, left, unresolved, storyboards };
}

function storyboardRow(path: string, { entryPoint, mainMenu, scenes }: StoryboardInfo, nibs: readonly DecodedNib[]): Result["storyboards"][number] {
  return {
    logical_path: path,
    entry_point: shownOrNull(entryPoint),
    main_menu: shownOrNull(mainMenu),
    scenes: scenes.map(({ identifier, nib }) => {
      const file = `${path}/${shown(nib)}.nib`;
      const found = nibs.find(({ document: { logicalPath } }) => logicalPath === file || logicalPath.startsWith(`${file}/`));
      return { identifier: shown(identifier), nib: shown(nib), document: found?.document.logicalPath ?? null };
    }),
  };
}

function beyond(left: number, { max_documents }: Params): Omission[] {
  if (left === 0) return [];
  const how_to_continue = "Call again with a greater max_documents, or for the part that holds them.";
  return [omission("Compiled nibs beyond the bound were not decoded.", "limit_items", { count: left, limit: max_documents, how_to_continue })];
}

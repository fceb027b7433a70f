import type { BinaryImage } from "../image.js";
import type { ContainerHint } from "./container-hint.js";
import { findMarks } from "./mark-search.js";

/** The .NET host's bundle mark: 32 fixed bytes behind the offset of the bundle header, which is 0 in an empty host. */
const dotnetBundle = Buffer.from("8b1202b96a612038727b930214d7a03213f5b9e6efae3318ee3b2dce24b36aae", "hex");
const seaFuse = Buffer.from("NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:1", "latin1");
const pkgPosition = Buffer.from("PAYLOAD_POSITION = '", "latin1");
const pkgSize = Buffer.from("PAYLOAD_SIZE = '", "latin1");
const electronMark = Buffer.from("ELECTRON_RUN_AS_NODE", "latin1");
/** Every program that Node.js is built into reads this variable; the other marks are looked for only where it is named. */
const nodeMark = Buffer.from("NODE_OPTIONS", "latin1");
const numberBytes = 24;
/** Smaller files are no hosts of these runtimes. */
const leastDotnetHost = 32 * 1024;
const leastNode = 1024 * 1024;

/** Marks of runtimes that carry an application; yields while it searches. */
export function* runtimeHints(image: BinaryImage): Generator<undefined, readonly ContainerHint[], undefined> {
  if (image.source.size < leastDotnetHost) return [];
  const [bundle, node] = yield* findMarks(image, image.source.size < leastNode ? [dotnetBundle] : [dotnetBundle, nodeMark]);
  return [...dotnetHints(image, bundle), ...(node === undefined ? [] : yield* nodeHints(image))];
}

function dotnetHints(image: BinaryImage, bundle: number | undefined): readonly ContainerHint[] {
  if (bundle === undefined || bundle < 8 || image.source.read(bundle - 8, 8).every((byte) => byte === 0)) return [];
  return [{ kind: "dotnet-single-file", basis: "bundle mark of the .NET host with a header offset", file: { offset: bundle - 8, size: 40 } }];
}

function* nodeHints(image: BinaryImage): Generator<undefined, readonly ContainerHint[], undefined> {
  const [fuse, position, size, electron] = yield* findMarks(image, [seaFuse, pkgPosition, pkgSize, electronMark]);
  const hints: ContainerHint[] = [];
  if (fuse !== undefined) hints.push({ kind: "node-single-executable", basis: "Node.js application fuse is set", file: { offset: fuse, size: seaFuse.length } });
  const payload = pkgPayload(image, position, size);
  if (payload !== undefined) hints.push({ kind: "pkg-payload", basis: "payload position and size in the start-up script of pkg", file: payload });
  if (electron !== undefined) hints.push({ kind: "electron", basis: "name of an Electron environment variable", file: { offset: electron, size: electronMark.length } });
  return hints;
}

/** pkg writes the numbers into its start-up script, over placeholders of the same length. */
function pkgPayload(image: BinaryImage, position: number | undefined, size: number | undefined) {
  const offset = position === undefined ? undefined : numberAt(image, position + pkgPosition.byteLength);
  const bytes = size === undefined ? undefined : numberAt(image, size + pkgSize.byteLength);
  if (offset === undefined || bytes === undefined || bytes === 0 || offset + bytes > image.source.size) return undefined;
  return { offset, size: bytes };
}

function numberAt({ source }: BinaryImage, at: number): number | undefined {
  const text = Buffer.from(source.read(at, Math.min(numberBytes, source.size - at))).toString("latin1");
  const digits = /^(\d{1,15}) *'/.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

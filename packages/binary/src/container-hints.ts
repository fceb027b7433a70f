import { isFormatError } from "./findings.js";
import type { ContainerHint } from "./hints/container-hint.js";
import { overlayHints } from "./hints/overlay-hints.js";
import { packerHints } from "./hints/packer-hints.js";
import { runtimeHints } from "./hints/runtime-hints.js";
import { sectionHints } from "./hints/section-hints.js";
import { trailerHints } from "./hints/trailer-hints.js";
import type { BinaryImage } from "./image.js";

export type { ContainerHint } from "./hints/container-hint.js";

/** Marks of embedded archives and of programs that carry a payload; each is a hint to look there, not a verdict. */
export function containerHints(image: BinaryImage): readonly ContainerHint[] {
  const steps = payloadHintSteps(image);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return [...step.value, ...nodeHint(image, step.value)];
  }
}

/**
 * The hints at something that the file carries, without those at what it links to. Yields every few megabytes, so that
 * other work of the thread goes on while large files are searched.
 */
export function* payloadHintSteps(image: BinaryImage): Generator<undefined, readonly ContainerHint[], undefined> {
  const hints: ContainerHint[] = [];
  for (const find of [overlayHints, trailerHints, packerHints, sectionHints]) {
    hints.push(...orNone(() => find(image)));
    yield undefined;
  }
  hints.push(...(yield* runtimeHints(image)));
  return distinct(hints);
}

/** The same place found in two ways is one hint, with the words of the first. */
function distinct(hints: readonly ContainerHint[]): readonly ContainerHint[] {
  const seen = new Set<string>();
  return hints.filter(({ kind, file }) => {
    const key = `${kind}:${String(file?.offset)}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function orNone(find: () => readonly ContainerHint[]): readonly ContainerHint[] {
  try {
    return find();
  } catch (error) {
    if (!isFormatError(error)) throw error;
    return [];
  }
}

function nodeHint(image: BinaryImage, hints: readonly ContainerHint[]): readonly ContainerHint[] {
  if (hints.some(({ kind }) => kind === "electron")) return [];
  const isNode = image.exports().items.some((item) => item.name === "napi_create_function" || item.name === "_napi_create_function");
  return isNode ? [{ kind: "node", basis: "exported Node-API functions", file: undefined }] : [];
}

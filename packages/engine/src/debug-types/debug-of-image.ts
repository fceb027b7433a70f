import { debugInformation, type BinaryImage, type DebugInformation } from "@rea/binary";

interface Kept {
  readonly information: DebugInformation | undefined;
  checkpoint: () => void;
}

const kept = new WeakMap<BinaryImage, Kept>();

/** The image's debug information, read once; undefined where it has none. `checkpoint` stops reading once its caller gave up. */
export function debugOfImage(image: BinaryImage, checkpoint: () => void = () => undefined): DebugInformation | undefined {
  const known = kept.get(image);
  if (known !== undefined) {
    known.checkpoint = checkpoint;
    return known.information;
  }
  const made: Kept = { information: debugInformation(image, () => { made.checkpoint(); }), checkpoint };
  kept.set(image, made);
  return made.information;
}

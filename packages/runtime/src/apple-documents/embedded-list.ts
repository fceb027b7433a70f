import { isReaError, sha256Hex } from "@rea/core";
import { openImage } from "@rea/binary";
import type { Artifact, ArtifactDocument } from "@rea/artifact";

const section = "__info_plist";
const mostBytes = 16 * 1024 * 1024;

/** The Info.plist that a Mach-O program without a bundle carries in a section; undefined when it has none. */
export function embeddedList({ name, root }: Artifact): ArtifactDocument | undefined {
  if (root.kind !== "file" || (root.format !== "mach-o" && root.format !== "mach-o-universal")) return undefined;
  try {
    const image = openImage(root.file);
    const found = image.sections().items.find((item) => item.name === section);
    if (found?.file === undefined || found.file.size === 0 || found.file.size > mostBytes) return undefined;
    const bytes = image.source.read(found.file.offset, found.file.size);
    return { logicalPath: `${found.segment ?? "__TEXT"},${section}`, name, bytes, sha256: sha256Hex(bytes), format: "plist", localPath: null };
  } catch (error) {
    if (isReaError(error) && error.code === "artifact_operation_failed") return undefined;
    throw error;
  }
}

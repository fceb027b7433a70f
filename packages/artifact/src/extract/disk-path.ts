/** Names that some systems take for devices, with or without an ending. */
const device = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/iu;

/**
 * The path below an extraction's root at which a member is written, the same on every host: characters and endings that
 * some file system refuses or reads differently become `%XX`, as does a percent sign that could be taken for one.
 */
export function diskPath(logicalPath: string, duplicateIndex: number): string {
  const path = logicalPath.split("/").map(diskSegment).join("/");
  return duplicateIndex === 0 ? path : `${path}.duplicate-${String(duplicateIndex)}`;
}

function diskSegment(segment: string): string {
  const marked = segment.replace(/%(?=[0-9A-Fa-f]{2})|[<>:"|?*\\]/gu, percent).replace(/[. ]$/u, percent);
  return device.test(marked) ? percent(marked.charAt(0)) + marked.slice(1) : marked;
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}

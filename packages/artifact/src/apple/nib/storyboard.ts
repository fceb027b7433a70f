import { plistEntry, readPropertyList, type PlistValue } from "@rea/binary";

/** What the Info.plist of a compiled storyboard says. */
export interface StoryboardInfo {
  readonly entryPoint: string | null;
  readonly mainMenu: string | null;
  /** Scene and the nib that holds it, without the ending. */
  readonly scenes: readonly { readonly identifier: string; readonly nib: string }[];
}

const mostScenes = 10_000;

/** Undefined for a list that does not describe a storyboard. */
export function readStoryboardInfo(bytes: Uint8Array): StoryboardInfo | undefined {
  const list = readPropertyList(bytes);
  if (list === undefined) return undefined;
  const text = (...keys: readonly string[]) => keys.map((key) => textOf(plistEntry(list.root, key))).find((found) => found !== undefined) ?? null;
  const scenes = ["UIViewControllerIdentifiersToNibNames", "NSViewControllerIdentifiersToNibNames"].flatMap((key) => scenesIn(plistEntry(list.root, key)));
  const entryPoint = text("UIStoryboardDesignatedEntryPointIdentifier", "NSStoryboardDesignatedEntryPointIdentifier");
  const mainMenu = text("NSStoryboardMainMenu");
  return scenes.length === 0 && entryPoint === null && mainMenu === null ? undefined : { entryPoint, mainMenu, scenes };
}

function scenesIn(value: PlistValue | undefined): { readonly identifier: string; readonly nib: string }[] {
  if (value?.kind !== "dictionary") return [];
  return Array.from({ length: Math.min(value.length, mostScenes) }, (_, index) => [textOf(value.key(index)), textOf(value.value(index))] as const).flatMap(
    ([identifier, nib]) => (identifier === undefined || nib === undefined ? [] : [{ identifier, nib }]),
  );
}

function textOf(value: PlistValue | undefined): string | undefined {
  return value?.kind === "string" ? value.text : undefined;
}

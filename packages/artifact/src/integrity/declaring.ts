import type { Entry, RandomFormat } from "../format.js";
import { MemberDeclarations } from "./member-declarations.js";
import { memberKey } from "./manifest.js";
import { isManifestName, manifestsIn } from "./manifests-in.js";
import { wholeContent } from "./read-content.js";

const mostKeptBytes = 64 * 1024 * 1024;
const ignore = (): void => undefined;

/**
 * The entries of a format whose members can be listed twice for little: lists of digests among them are read first, and
 * what they declare is among the checks of the members.
 */
export function declaring(entries: RandomFormat["entries"]): RandomFormat["entries"] {
  return async function* declared(source, input): AsyncGenerator<Entry, void, undefined> {
    const lists = new Map<string, Uint8Array>();
    let bytes = 0;
    // What is odd about the container is told when it is read for good.
    for await (const entry of entries(source, { ...input, report: { part: ignore, anomaly: ignore, omission: ignore } })) {
      const name = memberKey(entry.name.text ?? "").normalize("NFC");
      const list = isManifestName(name) ? await wholeContent(entry, mostKeptBytes - bytes) : undefined;
      if (list === undefined) close(entry);
      else lists.set(name, list);
      bytes += list?.byteLength ?? 0;
    }
    const declarations = new MemberDeclarations(input.report);
    declarations.add(await manifestsIn({ names: [...lists.keys()], read: (name) => Promise.resolve(lists.get(name)) }));
    for await (const entry of entries(source, input)) yield declarations.entry(entry);
    declarations.finish();
  };
}

function close({ content }: Entry): void {
  if (content !== null && "close" in content) content.close?.();
}

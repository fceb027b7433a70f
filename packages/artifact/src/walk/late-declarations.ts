import { omission } from "@rea/core";
import type { Entry, ReaderReport } from "../format.js";
import { kept } from "../integrity/keep-content.js";
import { MemberDeclarations } from "../integrity/member-declarations.js";
import { memberKey, nameOf } from "../integrity/manifest.js";
import { isManifestName, manifestsIn } from "../integrity/manifests-in.js";
import { memberPrefix } from "../logical-path.js";
import type { Findings } from "./findings.js";
import type { Place } from "./place.js";

const mostKeptBytes = 64 * 1024 * 1024;

/**
 * Lists of digests in a container that is read from front to back: they may come behind the members they speak of, so
 * members are compared when the container ends, by the SHA-256 that every member has.
 */
export class LateDeclarations {
  readonly #lists = new Map<string, Uint8Array>();
  #keptBytes = 0;

  /** The member, kept when it is a list. */
  watch(entry: Entry): Entry {
    const name = memberKey(entry.name.text ?? "").normalize("NFC");
    if (!isManifestName(name) || (entry.declaredBytes ?? 0) > mostKeptBytes - this.#keptBytes) return entry;
    return kept(entry, (bytes) => {
      this.#keptBytes += bytes.byteLength;
      if (this.#keptBytes <= mostKeptBytes) this.#lists.set(name, bytes);
    });
  }

  /** Compares the members of a container that was read to its end. */
  async finish(container: Place, report: ReaderReport, findings: Findings): Promise<void> {
    if (this.#lists.size === 0) return;
    const manifests = await manifestsIn({ names: [...this.#lists.keys()], read: (name) => Promise.resolve(this.#lists.get(name)) });
    if (manifests.length === 0) return;
    const declarations = new MemberDeclarations(report);
    declarations.add(manifests);
    let passedOver = 0;
    const prefix = memberPrefix(container.logicalPath);
    for (const place of placesIn(container)) {
      const { checks } = declarations.entry(entryOf(place, prefix));
      passedOver += comparePlace(place, checks, findings);
    }
    declarations.finish();
    if (passedOver > 0) report.omission(omission("Digests other than SHA-256 that a list declares of members in front of it.", "not_examined", { count: passedOver, how_to_continue: "Extract the container and inspect the directory: there the list is read first." }));
  }
}

/** Members of a container in file order, without what is inside of them. */
function* placesIn(container: Place): Generator<Place> {
  const waiting = [...container.children].reverse();
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    yield place;
    if (place.entryKind === "directory") for (let index = place.children.length - 1; index >= 0; index -= 1) waiting.push(...place.children.slice(index, index + 1));
  }
}

/** A place as the member it was, as far as lists ask. */
function entryOf(place: Place, prefix: string): Entry {
  return {
    name: nameOf(place.safe ? place.logicalPath.slice(prefix.length) : ""),
    kind: place.entryKind,
    declaredBytes: place.declaredBytes,
    compressedBytes: null,
    location: place.location,
    encrypted: false,
    linkTarget: place.linkTarget === null ? null : Buffer.from(place.linkTarget),
    executable: null,
    checks: [],
    limitations: [],
    content: place.sha256 === undefined ? null : { stream: nothing },
  };
}

async function* nothing(): AsyncGenerator<Uint8Array, void, undefined> {
  yield new Uint8Array(0);
}

/** Compares what can be compared; the number of digests that cannot. */
function comparePlace(place: Place, checks: Entry["checks"], findings: Findings): number {
  const [digest] = checks.flatMap((check) => (check.kind === "digest" && check.algorithm === "sha256" ? [check] : []));
  const others = checks.filter(({ kind }) => kind !== "size").length;
  if (digest === undefined) return others;
  findings.comparedLate(place, { declared: digest.hex, declaredBy: digest.declaredBy });
  return 0;
}

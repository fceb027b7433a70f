import { bufferOf } from "../reading/piece-window.js";
import type { Entry, ReaderReport } from "../format.js";
import { FindingReport } from "../reading/finding-report.js";
import { memberKey, nameOf, type DeclaredMember, type MemberManifest } from "./manifest.js";

/** Lists of more members than this are not repeated by name. */
const fewMembers = 64;

interface Open {
  readonly manifest: MemberManifest;
  readonly seen: Set<string>;
  extra: number;
}

/** The lists of a container, applied to its members while they pass. */
export class MemberDeclarations {
  readonly #report: ReaderReport;
  readonly #findings: FindingReport;
  #open: Open[] = [];

  constructor(report: ReaderReport) {
    this.#report = report;
    this.#findings = new FindingReport(report);
  }

  add(manifests: readonly MemberManifest[]): void {
    for (const manifest of manifests) {
      this.#open.push({ manifest, seen: new Set(), extra: 0 });
      for (const { path, ...problem } of manifest.problems) this.#findings.add({ ...problem, offset: null }, nameOf(path ?? manifest.path ?? ""));
      for (const { path, ...signature } of manifest.signatures) this.#report.signature?.({ ...signature, ...(path === undefined ? {} : { name: nameOf(path) }) });
    }
  }

  /** True when nothing is declared of any member now. */
  get isEmpty(): boolean {
    return this.#open.length === 0;
  }

  /** The member with what the lists say of it among its checks. */
  entry(entry: Entry): Entry {
    if (this.#open.length === 0 || entry.name.text === undefined || entry.kind === "directory") return entry;
    const path = memberKey(entry.name.text).normalize("NFC");
    const checks = this.#open.flatMap((open) => this.#checksBy(open, path, entry));
    return checks.length === 0 ? entry : { ...entry, checks: [...entry.checks, ...checks] };
  }

  #checksBy(open: Open, path: string, entry: Entry): DeclaredMember["checks"] {
    const { manifest, seen } = open;
    if (!path.startsWith(manifest.root)) return [];
    const declared = manifest.members.get(path);
    if (declared === undefined) {
      if (entry.kind === "file" && manifest.covers?.(path) === true) this.#noteExtra(open, entry);
      return [];
    }
    seen.add(path);
    if (declared.link !== undefined) this.#compareLink(declared.link, entry);
    return entry.content === null ? [] : declared.checks;
  }

  #noteExtra(open: Open, entry: Entry): void {
    open.extra += 1;
    this.#findings.add(
      {
        anomaly: "manifest_extra_member",
        offset: entry.location?.offset ?? null,
        detail: `The member is not named by ${open.manifest.declaredBy}, which should name every file.`,
        effect: "It was added without being listed or signed; programs that check refuse it or the whole package, others use it.",
      },
      entry.name,
    );
  }

  #compareLink(link: string, { kind, linkTarget, location, name }: Entry): void {
    if (kind === "symlink" && linkTarget !== null && bufferOf(linkTarget).equals(Buffer.from(link))) return;
    this.#findings.add(
      {
        anomaly: "manifest_conflict",
        offset: location?.offset ?? null,
        detail: kind === "symlink" ? "The link leads elsewhere than its list of sealed files says." : "A symbolic link should stand here by the list of sealed files.",
        effect: "The seal of the bundle is broken.",
      },
      name,
    );
  }

  /** Ends the lists of a directory that was gone through. */
  leave(root: string): void {
    for (const open of this.#open) if (open.manifest.root === root) this.#close(open);
    this.#open = this.#open.filter(({ manifest }) => manifest.root !== root);
  }

  /** Ends all lists: tells what is missing, and what each list came to. */
  finish(): void {
    for (const open of this.#open) this.#close(open);
    this.#open = [];
    this.#findings.finish();
  }

  #close({ manifest, seen, extra }: Open): void {
    const { kind, declaredBy, path, root, members, unchecked } = manifest;
    let missing = 0;
    for (const [member, { optional }] of members) {
      if (optional || seen.has(member)) continue;
      missing += 1;
      this.#findings.add(
        {
          anomaly: "manifest_missing_member",
          offset: null,
          detail: `By ${declaredBy} a member should stand here, and there is none.`,
          effect: "The package is not whole; programs that check refuse it.",
        },
        nameOf(member),
      );
    }
    this.#report.manifest?.({ kind, declaredBy, name: path === undefined ? undefined : nameOf(path), root, members: members.size, named: members.size > fewMembers ? [] : [...members.keys()], missing, extra, unchecked });
  }
}

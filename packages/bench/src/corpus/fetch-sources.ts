import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fetchedSources } from "./places.js";
import { isInstalled, output } from "./programs.js";

/** A folder of sources, or why it cannot be had here. */
export type Fetched = { readonly root: string } | { readonly reason: string };

/** An npm package, pinned by the digest of its file; its files lie below `package`. */
export function npmSources(specification: string, integrity: string): Promise<Fetched> {
  return fetchOnce(specification.replaceAll("/", "+"), async (directory) => {
    await output(["npm", "pack", specification, "--pack-destination", directory, "--silent"]);
    const archive = join(directory, (await readdir(directory)).find((name) => name.endsWith(".tgz")) ?? "");
    const digest = createHash("sha512").update(await readFile(archive)).digest("base64");
    if (`sha512-${digest}` !== integrity) throw new Error(`${specification} does not have the pinned digest`);
    await output(["tar", "-xzf", archive, "-C", directory]);
  });
}

/** The original sources of a Debian source package, in the version of the host's distribution; patches stay away. */
export async function debianSources(name: string): Promise<Fetched> {
  if (!isInstalled("apt-get")) return { reason: "apt-get is not installed" };
  return fetchOnce(name, async (directory) => {
    const state = join(directory, "apt");
    await mkdir(join(state, "lists", "partial"), { recursive: true });
    const sites = await output(["apt-get", "indextargets", "--format", "deb-src $(SITE) $(RELEASE) $(COMPONENT)", "Created-By: Packages"]);
    await writeFile(join(state, "sources.list"), withoutUpdates([...new Set(sites.split("\n"))]).join("\n"));
    const apt = [
      "apt-get",
      ...["-o", `Dir::State::Lists=${join(state, "lists")}`, "-o", `Dir::Etc::SourceList=${join(state, "sources.list")}`],
      ...["-o", "Dir::Etc::SourceParts=/dev/null", "-o", `Dir::Cache=${state}`],
    ];
    await output([...apt, "-q", "update"]);
    await output([...apt, "-q", "source", "--download-only", name], { cwd: directory });
    const archive = (await readdir(directory)).find((file) => file.includes(".orig.tar"));
    if (archive === undefined) throw new Error(`${name} has no original archive`);
    await mkdir(join(directory, "package"));
    await output(["tar", "-xf", join(directory, archive), "-C", join(directory, "package"), "--strip-components=1"]);
    await rm(state, { recursive: true });
  });
}

/** Original sources are the same in security updates, which mirrors do not all hold. */
function withoutUpdates(sites: readonly string[]): readonly string[] {
  const others = sites.filter((site) => !site.includes("-security"));
  return others.length > 0 ? others : sites;
}

/** Fills a folder beside its final place, which is either whole or absent. */
export async function fetchOnce(name: string, fill: (directory: string) => Promise<void>): Promise<Fetched> {
  const place = join(fetchedSources, name);
  const root = join(place, "package");
  if (existsSync(root)) return { root };
  await mkdir(fetchedSources, { recursive: true });
  const work = await mkdtemp(join(fetchedSources, ".fetching-"));
  try {
    await fill(work);
    await rm(place, { recursive: true, force: true });
    await rename(work, place);
    return { root };
  } catch (error) {
    return { reason: error instanceof Error ? (error.message.split("\n")[0] ?? "could not be fetched") : String(error) };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

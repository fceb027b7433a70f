import type { SourceReference } from "@rea/core";
import { commandLine, grouped } from "./figures.js";
import type { Style } from "./style.js";

const mostLines = 10;

/** What was saved of sources, in a few lines. */
export function sourceReferenceText(reference: SourceReference, { output, style }: { readonly output: string; readonly style: Style }): string {
  const { entries, languages, manifests, relationships, parse_failures: failures, exclusions, version_control: git, coverage } = reference;
  const files = entries.filter(({ kind }) => kind === "file").length;
  const links = entries.filter(({ kind }) => kind === "symlink").length;
  const missing = relationships.filter(({ state }) => state === "missing").length;
  return [
    style.heading(`${grouped(files)} source files saved, ${reference.inventory_state}`),
    `root ${reference.root_sha256}`,
    ...(git === null ? [] : [`git ${[git.branch, git.commit].filter((part) => part !== null).join(" ")}`]),
    languages.slice(0, mostLines).map(({ language, files: count }) => `${language} ${grouped(count)}`).join(", "),
    `${grouped(manifests.length)} manifests, ${grouped(relationships.length)} imports (${grouped(missing)} lead to nothing here), ${grouped(links)} links, none followed`,
    ...exclusions.slice(0, mostLines).map(({ path, reason, pattern }) => `${style.warn("left out")} ${path}  ${style.dim(pattern === null ? reason : `${reason} ${pattern}`)}`),
    ...more(exclusions.length),
    ...failures.slice(0, mostLines).map(({ path, line, column, problem }) => `${style.warn("not read")} ${path}${line === null ? "" : `:${String(line)}:${String((column ?? 0) + 1)}`}  ${style.dim(problem)}`),
    ...more(failures.length),
    ...coverage.omissions.map(({ scope, count }) => style.dim(`${count === null ? "" : `${grouped(count)} `}${scope}`)),
    "",
    style.dim(`Next: ${commandLine(["compare-source-to-bundle", "PATH", "APPLICATION"], output)}`),
  ]
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}

function more(total: number): string[] {
  return total > mostLines ? [`… ${grouped(total - mostLines)} more`] : [];
}

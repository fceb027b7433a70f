import { execFileSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const bridge = fileURLToPath(new URL("../bridge", import.meta.url));

/** Why the stand-in cannot run on this machine; undefined when it can. */
export const standInAbsent = findProgram("javac") === null || findProgram("java") === null ? "no JDK (javac) on the PATH" : process.platform === "linux" ? undefined : "the stand-in is started on Linux only";

export interface StubInstallation {
  readonly env: Readonly<Record<string, string>>;
  readonly installDirectory: string;
  readonly javaHome: string;
}

/**
 * A directory that passes for an installed Ghidra 12.1, and one that passes for a JDK 21: its `release` file says so, its
 * `java` is this machine's.
 */
export function makeInstallation(root: string, mark: string, version = "12.1"): StubInstallation {
  const classes = compiledStandIn();
  const installDirectory = mkdtempSync(join(root, "ghidra "));
  const javaHome = mkdtempSync(join(root, "jdk "));
  mkdirSync(join(installDirectory, "support"));
  mkdirSync(join(installDirectory, "Ghidra"));
  writeFileSync(join(installDirectory, "Ghidra", "application.properties"), `application.name=Ghidra\napplication.version=${version}\napplication.release.name=PUBLIC\n`);
  const java = `"\${JAVA_HOME}"/bin/java -Xshare:auto -XX:TieredStopAtLevel=1 -Dstub.version=${version} -Dstub.api='${classes}' -cp '${classes}' stubhost.StubHeadless "$@"`;
  const launcher = join(installDirectory, "support", "analyzeHeadless");
  // A child, as the real one has, not a replacement.
  writeFileSync(launcher, `#!/usr/bin/env bash\nexport MARK='${mark}'\n${java}\nexit $?\n`);
  chmodSync(launcher, 0o755);
  mkdirSync(join(javaHome, "bin"));
  for (const name of ["java", "javac"]) symlinkSync(findProgram(name) ?? "/nowhere", join(javaHome, "bin", name));
  writeRelease(javaHome);
  return { env: { GHIDRA_INSTALL_DIR: installDirectory, JAVA_HOME: javaHome, PATH: "/usr/bin:/bin" }, installDirectory, javaHome };
}

function writeRelease(javaHome: string): void {
  const fields = { JAVA_VERSION: "21.0.5", OS_ARCH: "x86_64", MODULES: "java.base jdk.compiler" };
  writeFileSync(join(javaHome, "release"), Object.entries(fields).map(([name, value]) => `${name}="${value}"\n`).join(""));
}

/** Compiled once for each state of the sources; several test files may do so at the same time. */
function compiledStandIn(): string {
  const sources = [...javaFiles(join(here, "stub-ghidra")), ...javaFiles(bridge)].sort();
  const hash = createHash("sha256");
  for (const file of sources) hash.update(file).update(readFileSync(file));
  const cache = join(here, "..", "node_modules", ".cache", "stub-ghidra");
  const classes = join(cache, hash.digest("hex").slice(0, 16));
  if (existsSync(classes)) return classes;
  mkdirSync(cache, { recursive: true });
  const temporary = `${classes}.${randomUUID()}`;
  execFileSync("javac", ["--release", "17", "-nowarn", "-d", temporary, ...sources], { stdio: ["ignore", "ignore", "pipe"] });
  try {
    renameSync(temporary, classes);
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    if (!existsSync(classes)) throw error;
  }
  for (const name of readdirSync(cache)) if (!classes.endsWith(name) && !name.includes(".")) rmSync(join(cache, name), { recursive: true, force: true });
  return classes;
}

function javaFiles(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".java"))
    .map((name) => join(directory, name));
}

function findProgram(name: string): string | null {
  for (const directory of (process.env["PATH"] ?? "").split(delimiter)) {
    const path = join(directory, name);
    if (directory !== "" && existsSync(path)) return realpathSync(path);
  }
  return null;
}

import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { findBrowsers } from "@rea/cdp";
import type { ClientHost } from "../table/client-host.js";
import { programsInPath } from "./find-program.js";

/** One fact of the host that decides what REA can do on it. Looked up in files; nothing is started or made. */
export interface HostFact {
  readonly name: "namespaces" | "cgroup_delegation" | "pty" | "display" | "hdiutil" | "swift_demangle" | "strace" | "browsers";
  readonly available: boolean;
  /** One sentence. */
  readonly detail: string;
  /** A line that can be pasted; null when it is available, or this system cannot have it or has no need of it. */
  readonly remediation: string | null;
}

export function hostFacts(host: Pick<ClientHost, "env" | "platform">): readonly HostFact[] {
  const linux = host.platform === "linux";
  return [
    linux ? namespaces() : absent("namespaces", "Namespaces are a feature of Linux; process runs are owned by group and marks here.", null),
    linux ? cgroupDelegation() : absent("cgroup_delegation", "Control groups are a feature of Linux.", null),
    pty(host.platform),
    display(host),
    program(host, "hdiutil", { wanted: host.platform === "darwin", use: "Disk images are read without it; it is a last resort on macOS.", install: null }),
    program(host, "swift-demangle", { wanted: true, use: "demangle_swift needs it.", install: swiftInstall(host.platform) }),
    program(host, "strace", { wanted: linux, use: "Process captures record system calls with it.", install: "sudo apt-get install strace" }),
    browsers(host),
  ];
}

/** As swift.org says; macOS brings Swift with Apple's tools. */
function swiftInstall(platform: NodeJS.Platform): string | null {
  if (platform === "darwin") return "xcode-select --install";
  if (platform !== "linux") return null;
  return "curl -O https://download.swift.org/swiftly/linux/swiftly-$(uname -m).tar.gz && tar zxf swiftly-$(uname -m).tar.gz && ./swiftly init";
}

function absent(name: HostFact["name"], detail: string, remediation: string | null): HostFact {
  return { name, available: false, detail, remediation };
}

function present(name: HostFact["name"], detail: string): HostFact {
  return { name, available: true, detail, remediation: null };
}

/** user_namespaces(7): the limit and, where a distribution has them, its switches. */
function namespaces(): HostFact {
  if (number("/proc/sys/user/max_user_namespaces") === 0) {
    return absent("namespaces", "The kernel allows no user namespaces.", "sudo sysctl -w user.max_user_namespaces=15000");
  }
  if (number("/proc/sys/kernel/unprivileged_userns_clone") === 0) {
    return absent("namespaces", "User namespaces are for root only.", "sudo sysctl -w kernel.unprivileged_userns_clone=1");
  }
  if (number("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") === 1) {
    return absent("namespaces", "AppArmor restricts user namespaces.", "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0");
  }
  if (!["/usr/bin/unshare", "/bin/unshare"].some((path) => existsSync(path))) {
    return absent("namespaces", "The program unshare is not installed.", "sudo apt-get install util-linux");
  }
  return present("namespaces", "User and process namespaces are allowed.");
}

/** cgroup-v2.rst: a delegated cgroup is one whose directory and cgroup.procs we may write to. */
function cgroupDelegation(): HostFact {
  const own = /^0::(.*)$/m.exec(text("/proc/self/cgroup") ?? "")?.[1];
  const remedy = "systemd-run --user --scope -p Delegate=yes rea doctor";
  if (own === undefined) return absent("cgroup_delegation", "This process is in no control group of version 2.", null);
  for (const line of (text("/proc/self/mountinfo") ?? "").split("\n")) {
    const [before = "", after = ""] = line.split(" - ");
    const [, , , root = "/", mountPoint = ""] = before.split(" ");
    if (!after.startsWith("cgroup2 ") || relative(root, own).startsWith("..")) continue;
    const directory = join(mountPoint, relative(root, own));
    if (!writable(directory) || !writable(join(directory, "cgroup.procs"))) break;
    return present("cgroup_delegation", "Processes can be held in control groups of their own.");
  }
  return absent("cgroup_delegation", "The control group of this process is not delegated; runs are owned by group and marks instead.", remedy);
}

function pty(platform: NodeJS.Platform): HostFact {
  if (platform === "win32") return absent("pty", "Terminals for captures are not supported on Windows.", null);
  if (writable("/dev/ptmx")) return present("pty", "Pseudo-terminals can be opened.");
  return absent("pty", "/dev/ptmx cannot be opened, so no program can be captured in a terminal.", "sudo mount -t devpts devpts /dev/pts");
}

function display({ env, platform }: Pick<ClientHost, "env" | "platform">): HostFact {
  if (platform !== "linux") return present("display", "The desktop of this system is used.");
  const set = ["WAYLAND_DISPLAY", "DISPLAY"].find((name) => (env[name] ?? "") !== "");
  if (set !== undefined) return present("display", `${set} is set.`);
  return absent("display", "No display is set; browsers are started without windows.", "xvfb-run -a rea doctor");
}

function program(
  { env }: Pick<ClientHost, "env">,
  name: "hdiutil" | "swift-demangle" | "strace",
  { wanted, use, install }: { readonly wanted: boolean; readonly use: string; readonly install: string | null },
): HostFact {
  const fact = name === "swift-demangle" ? "swift_demangle" : name;
  const [found] = programsInPath(name, `${env["PATH"] ?? ""}:/usr/bin:/usr/local/bin`);
  if (found !== undefined) return present(fact, `${name} is at ${found}.`);
  return absent(fact, `${name} is not found. ${use}`, wanted ? install : null);
}

function browsers({ env, platform }: Pick<ClientHost, "env" | "platform">): HostFact {
  const { browsers: found, refused } = findBrowsers({ platform, environment: env });
  if (refused !== null) return absent("browsers", `${refused.setting} must be ${refused.constraint}.`, `unset ${refused.setting}`);
  if (found.length > 0) return present("browsers", found.map(({ name, path }) => `${name} at ${path}`).join("; "));
  return absent("browsers", "No browser that can be observed is found.", platform === "darwin" ? "brew install --cask chromium" : "sudo apt-get install chromium");
}

function text(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

function number(path: string): number | null {
  const value = text(path)?.trim();
  return value !== undefined && /^[0-9]+$/.test(value) ? Number(value) : null;
}

function writable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

import { existsSync } from "node:fs";
import type { RunMark } from "./run-mark.js";
import { loadStarter, startChild, type Child } from "./start-child.js";
import { within } from "./within.js";

/** What is to end when we are killed: by token and mark, and by the cgroup or the group of a run. */
export interface Guarded {
  readonly token: string;
  readonly mark?: RunMark;
  /** Directory of the run's cgroup. */
  readonly cgroup?: string;
  /** Leader of the run's group, with its start time. */
  readonly leader?: { readonly pid: number; readonly startTime: string };
}

const shell = "/bin/sh";
const endsWithinMs = 2_000;

/**
 * Waits for the end of its input, which comes when we close it or when we die in any way, SIGKILL included; then kills
 * what the last complete line names. A fixed text: nothing of a run is ever part of it, and tokens arrive on its input,
 * never as arguments. Token and mark are read again from a process right before the kill, each leader's start time too; a
 * process that carries one of them and leads its group goes with its group. Several looks find nothing before it stops, because
 * a process in the middle of an exec shows no environment.
 */
const script = `
exec >/dev/null 2>&1
trap '' HUP INT TERM PIPE
set -f
state=
while read -r line; do state=$line; done
tokens=
marks=0
for entry in $state; do
  case $entry in
    t:*) tokens="$tokens \${entry#t:}" ;;
    m:*) marks="$marks\\\\|\${entry#m:}" ;;
    c:*) echo 1 > "\${entry#c:}/cgroup.kill" ;;
    g:*)
      pid=\${entry#g:}; start=\${pid#*:}; pid=\${pid%%:*}
      if read -r stat < "/proc/$pid/stat"; then
        set -- \${stat##*) }
        [ "$3" = "$pid" ] && [ "\${20}" = "$start" ] && kill -KILL "-$pid"
      fi ;;
  esac
done
[ -n "$tokens" ] || exit 0
set +f
carriers() { printf 'REA_PROCESS_RUN_ID=%s\\n' $tokens | grep -lsF -f - "$@"; }
marked() { grep -ls "^Max realtime timeout  *[^ ]*  *\\($marks\\) " "$@"; }
empty=0
round=0
while [ $round -lt 50 ] && [ $empty -lt 3 ]; do
  round=$((round + 1))
  found=$(carriers /proc/[0-9]*/environ; marked /proc/[0-9]*/limits)
  if [ -z "$found" ]; then
    empty=$((empty + 1))
    sleep 0.1
    continue
  fi
  empty=0
  for file in $found; do
    pid=\${file%/*}; pid=\${pid#/proc/}
    [ -n "$(carriers "/proc/$pid/environ"; marked "/proc/$pid/limits")" ] || continue
    read -r stat < "/proc/$pid/stat" || continue
    set -- \${stat##*) }
    [ "$3" = "$pid" ] && kill -KILL "-$pid"
    kill -KILL "$pid"
  done
done
for entry in $state; do
  case $entry in c:*) rmdir "\${entry#c:}" ;; esac
done
exit 0
`;

/** Sees to it that runs end with us even when we are killed. Linux only: elsewhere nothing is guarded, and runs say so. */
export class Guardian {
  readonly #guarded = new Map<string, Guarded>();
  #child: Child | null = null;
  #starting: Promise<void> | null = null;

  /** Why runs are not guarded on this host; null when they are. */
  get refused(): string | null {
    return process.platform === "linux" && existsSync(shell) ? null : "nothing ends a run when this process is killed";
  }

  /** Adds a run, or replaces what is known of it. */
  async protect(run: Guarded): Promise<void> {
    if (this.refused !== null) return;
    this.#guarded.set(run.token, run);
    // One guardian for all runs, also for those that start at the same time.
    if (this.#child === null || this.#child.exit() !== null) await (this.#starting ??= this.#start());
    this.#tell();
  }

  forget(token: string): void {
    if (this.#guarded.delete(token)) this.#tell();
  }

  /** Lets the guardian go; it kills nothing that was forgotten before. */
  async close(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null) return;
    child.keepsAlive(true);
    child.stdin?.end("\n");
    await within(child.exited, endsWithinMs);
    child.kill();
  }

  async #start(): Promise<void> {
    try {
      this.#child = await start();
    } finally {
      this.#starting = null;
    }
  }

  #tell(): void {
    const words = [...this.#guarded.values()].flatMap(({ token, mark, cgroup, leader }) => [
      `t:${token}`,
      ...(mark === undefined ? [] : [`m:${mark.toString()}`]),
      ...(cgroup === undefined ? [] : [`c:${cgroup}`]),
      ...(leader === undefined ? [] : [`g:${String(leader.pid)}:${leader.startTime}`]),
    ]);
    this.#child?.stdin?.write(`${words.join(" ")}\n`);
  }
}

async function start(): Promise<Child> {
  const execa = await loadStarter();
  const child = startChild(execa, {
    file: shell,
    args: ["-c", script],
    environment: { PATH: "/usr/bin:/bin" },
    workingDirectory: "/",
    stdin: "pipe",
    control: false,
  });
  child.stdin?.on("error", () => undefined);
  child.stdout.resume();
  child.stderr.resume();
  // It lives exactly as long as we do and must not be what keeps us alive.
  child.keepsAlive(false);
  return child;
}

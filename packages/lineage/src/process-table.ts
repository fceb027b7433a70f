/** One process as the operating system lists it at one moment. */
export interface ProcessRow {
  readonly pid: number;
  readonly parentPid: number;
  readonly groupId: number;
  /** Null where the system does not tell (macOS `ps`). */
  readonly sessionId: number | null;
  /** Start of the process in the table's own notation; together with the pid it names one process of this boot. */
  readonly startTime: string;
  /** Ended and not yet collected by its parent: not a live member of anything. */
  readonly zombie: boolean;
}

/** Which process: pid and start within one boot. A pid alone proves nothing, it is given out again. */
export interface ProcessIdentity {
  /** Null where the system has none; then the start time is a calendar time and needs none. */
  readonly bootId: string | null;
  readonly pid: number;
  readonly startTime: string;
  /** `second`: two processes with the same pid that started within one second look the same. */
  readonly resolution: "tick" | "second";
}

/** What the environment of a process says about a run token. */
export type TokenReading = "carried" | "absent" | "unreadable" | "gone";

export interface TableSnapshot {
  /** RFC 3339, when the listing ended. */
  readonly observedAt: string;
  /** Sorted by pid. */
  readonly rows: readonly ProcessRow[];
  /** More processes than a listing reads; what is missing cannot be called absent. */
  readonly truncated: boolean;
}

/** The operating system's process table. Reading it starts nothing on Linux; on macOS it runs `ps`. */
export interface ProcessTable {
  readonly source: "procfs" | "ps" | "none";
  readonly bootId: string | null;
  readonly resolution: "tick" | "second";
  /** Why nothing can be read; null when the table works. */
  readonly unreadable: string | null;
  /** Throws a plain Error when the table cannot be read. Processes that are passed over are left out unread. */
  list(passOver?: (pid: number) => boolean): Promise<TableSnapshot>;
  /** The pid that was given out last; null where that cannot be told. */
  lastPid(): number | null;
  /** Null when there is no such process. */
  read(pid: number): Promise<ProcessRow | null>;
  /** Whether the process carries `REA_PROCESS_RUN_ID=<token>` in the environment it was started with. */
  token(pid: number, token: string): Promise<TokenReading>;
  /** Name of the process's pid namespace; null where there are none, or it cannot be read. */
  pidNamespace(pid: number): string | null;
  /** What the open descriptors of a process refer to, by descriptor; empty where it cannot be read. */
  descriptors(pid: number): ReadonlyMap<number, string>;
  /** Real path of the program the process runs; null when it cannot be read. */
  command(pid: number): Promise<string | null>;
  /** What the process says of itself; null where it cannot be read. It may say what it likes. */
  appearance(pid: number): ProcessAppearance | null;
  /** What a process has from its ancestors; null where it cannot be read. */
  inheritance(pid: number): ProcessInheritance | null;
}

export interface ProcessInheritance {
  /** Real user. */
  readonly userId: number;
  /** Hard limit on real-time CPU time in microseconds; 2^64 - 1 when there is none. */
  readonly realtimeLimitUs: bigint;
}

export interface ProcessAppearance {
  /** Its arguments, the name it was called by first; at most `appearanceBytes` of them. */
  readonly arguments: readonly string[];
  /** Its pid as it sees it itself, in the innermost pid namespace. */
  readonly innerPid: number;
}

export const appearanceBytes = 65_536;

export function identityOf(table: ProcessTable, row: ProcessRow): ProcessIdentity {
  return { bootId: table.bootId, pid: row.pid, startTime: row.startTime, resolution: table.resolution };
}

export function isSameProcess(row: ProcessRow | null, identity: { readonly pid: number; readonly startTime: string }): boolean {
  return row !== null && row.pid === identity.pid && row.startTime === identity.startTime;
}

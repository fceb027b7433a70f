import { join } from "node:path";
import { inspectFile } from "../files/inspect-file.js";
import { backupPath, type PlannedFile } from "../setup/plan-client.js";
import { lineDiff } from "../setup/line-diff.js";
import type { ClientHost } from "../table/client-host.js";
import { isReaSkill } from "./skill-text.js";

export type SkillPlan = { readonly path: string } & (
  | { readonly state: "unchanged" }
  | { readonly state: "change"; readonly operation: "create" | "update" | "remove"; readonly file: PlannedFile }
  | { readonly state: "skipped"; readonly why: string }
  | { readonly state: "blocked"; readonly why: string }
);

/** Where agents of every client look for skills. */
export function skillPath(host: ClientHost): string {
  return join(host.home, ".agents", "skills", "rea", "SKILL.md");
}

/** Plans to write the skill file. A file there that REA did not write is kept as a backup. */
export function planSkill(host: ClientHost, text: string): SkillPlan {
  const path = skillPath(host);
  const file = inspectFile(path, host.uid);
  if (file.state === "refused") return { path, state: "blocked", why: file.why };
  const present = file.state === "present" ? file.bytes.toString("utf8") : "";
  if (present === text) return { path, state: "unchanged" };
  return {
    path,
    state: "change",
    operation: file.state === "present" ? "update" : "create",
    file: {
      path,
      place: file.place,
      before: file.state === "present" ? file.bytes : null,
      after: Buffer.from(text),
      mode: file.state === "present" ? file.mode : 0o644,
      backup: file.state === "present" && !isReaSkill(present) ? backupPath(path) : null,
      diff: lineDiff(present, text),
    },
  };
}

/** Plans to remove the skill file, or to put back what stood there before. */
export function planSkillRemoval(host: ClientHost): SkillPlan {
  const path = skillPath(host);
  const file = inspectFile(path, host.uid);
  if (file.state === "refused") return { path, state: "blocked", why: file.why };
  if (file.state === "absent") return { path, state: "skipped", why: "There is no skill file." };
  const text = file.bytes.toString("utf8");
  if (!isReaSkill(text)) return { path, state: "skipped", why: "The skill file is not REA's; it is left alone." };
  const backup = inspectFile(backupPath(path), host.uid);
  const after = backup.state === "present" ? backup.bytes : null;
  return {
    path,
    state: "change",
    operation: "remove",
    file: { path, place: file.place, before: file.bytes, after, mode: file.mode, backup: null, diff: lineDiff(text, after?.toString("utf8") ?? "") },
  };
}

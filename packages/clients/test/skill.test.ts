import { existsSync } from "node:fs";
import { join } from "node:path";
import { applyPlan, planSetup, planUninstall } from "@rea/clients";
import { tools } from "@rea/tools";
import { expect, test } from "vitest";
import { isReaSkill, maximumSkillBytes, skillText } from "../src/skill/skill-text.js";
import { bytesOf, emptyHome, hostIn, installation, put } from "./support.js";

const names = tools.map(({ name }) => name);
const digest = "ab".repeat(32);
const text = skillText({ version: "1.2.3", tools: names, catalog_digest: digest });

test("the skill file is under 4 KB, names its version and catalogue, and only tools that exist", () => {
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maximumSkillBytes);
  expect(text).toMatch(/^---\nname: rea\ndescription: .{20,1024}\nversion: 1\.2\.3\n/);
  expect(text).toContain(`tool_count: ${String(names.length)}\ncatalog_digest: ${digest}\n---`);
  const body = text.slice(text.indexOf("# REA"));
  const mentioned = [...body.matchAll(/`([a-z]+_[a-z_]+)`/g)].map(([, name]) => name ?? "");
  const fields = ["wait_ms", "next_offset", "has_more", "how_to_continue", "evidence_id", "expected_package_version", "expected_catalog_digest"];
  expect(mentioned.filter((name) => !names.includes(name) && !fields.includes(name))).toEqual([]);
  expect(mentioned.filter((name) => names.includes(name)).length).toBeGreaterThan(15);
});

test("all workflows together stay under 4 KB, also when every planned tool is there", () => {
  const all = [...names, "compare_functions", "compare_binaries", "find_changed_behavior", "analyze_javascript_application", "inspect_managed_artifact", "list_browser_targets", "inspect_web_page"];
  expect(Buffer.byteLength(skillText({ version: "10.20.30-beta.1", tools: all, catalog_digest: digest }))).toBeLessThanOrEqual(maximumSkillBytes);
});

test("a step whose tool the catalogue lacks is left out", () => {
  const small = skillText({ version: "1.2.3", tools: ["binary_session", "open_binary"], catalog_digest: digest });
  expect(small).toContain("`open_binary`");
  expect(small).not.toMatch(/trace_feature|start_job|## Two versions/);
});

test("it is written, found unchanged, brought up to date and removed with its directory", () => {
  const host = hostIn(emptyHome());
  const at = { host, installation };
  const plan = (skill: string) => planSetup({ clients: [], skill, installHopper: false }, at);
  const path = join(host.home, ".agents", "skills", "rea", "SKILL.md");
  expect(applyPlan(plan(text), at).skill).toEqual({ state: "done", operation: "create" });
  expect(bytesOf(path)?.toString("utf8")).toBe(text);
  expect(plan(text).skill?.state).toBe("unchanged");
  const newer = text.replace("1.2.3", "1.2.4");
  expect(applyPlan(plan(newer), at).skill).toEqual({ state: "done", operation: "update" });
  expect(existsSync(`${path}.rea.backup`)).toBe(false);
  expect(isReaSkill(newer)).toBe(true);
  expect(applyPlan(planUninstall(at), at).skill).toEqual({ state: "done", operation: "remove" });
  expect(existsSync(join(host.home, ".agents", "skills", "rea"))).toBe(false);
});

test("a skill that somebody else wrote there is kept and put back", () => {
  const host = hostIn(emptyHome());
  const at = { host, installation };
  const path = join(host.home, ".agents", "skills", "rea", "SKILL.md");
  put(path, "---\nname: rea\n---\nmine\n");
  expect(applyPlan(planUninstall(at), at).skill?.state).toBe("skipped");
  applyPlan(planSetup({ clients: [], skill: text, installHopper: false }, at), at);
  expect(bytesOf(`${path}.rea.backup`)?.toString("utf8")).toBe("---\nname: rea\n---\nmine\n");
  applyPlan(planUninstall(at), at);
  expect(bytesOf(path)?.toString("utf8")).toBe("---\nname: rea\n---\nmine\n");
});

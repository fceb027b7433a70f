import { escapeUntrusted } from "@rea/core";
import type { Check, DoctorReport, McpDoctorReport } from "@rea/clients";
import type { Style } from "./style.js";

/** The report of doctor: findings that decide, then the rest when all of it is wanted. */
export function doctorText(report: DoctorReport, { style, full }: { readonly style: Style; readonly full: boolean }): string {
  const { checks, scope_checks, identity, healthy } = report;
  const deciding = checks.filter(({ name }) => scope_checks.includes(name));
  const others = checks.filter(({ name, ok }) => !scope_checks.includes(name) && (full || !ok));
  const [own] = identity.runtime_executables;
  const facts = [
    `REA ${identity.cli_version}, ${String(identity.catalog.tool_count)} tools, Node ${own?.version ?? process.versions.node} at ${escapeUntrusted(own?.executable ?? process.execPath)}`,
    ...(identity.variables.length === 0 ? [] : [`set: ${identity.variables.join(", ")}`]),
    ...(full ? [`PATH: ${escapeUntrusted(identity.path.join(":"))}`, ...runtimeLines(report)] : []),
  ];
  const head = healthy ? style.good("Healthy.") : style.bad("Something needs attention.");
  const rest = others.length === 0 ? "" : `${style.heading(full ? "For information" : "Not needed, but missing or different")}\n${others.map((check) => checkText(check, style)).join("")}`;
  return `${head}\n${facts.map((line) => `${style.dim(line)}\n`).join("")}${deciding.map((check) => checkText(check, style)).join("")}${rest}`;
}

function runtimeLines({ identity }: DoctorReport): string[] {
  return identity.runtime_executables.flatMap((runtime) =>
    runtime.client === null ? [] : [`${runtime.client} starts ${escapeUntrusted(runtime.command)}${runtime.same_as_this ? ", this Node" : runtime.executable === null ? ", which is not found" : `, ${escapeUntrusted(runtime.executable)}`}`],
  );
}

function checkText({ name, ok, detail, remediation }: Check, style: Style): string {
  const mark = ok ? style.good("ok") : style.bad("! ");
  const next = remediation === null ? "" : `     next: ${style.code(escapeUntrusted(remediation))}\n`;
  return `  ${mark} ${name}: ${escapeUntrusted(detail)}\n${next}`;
}

/** The report of `rea mcp doctor`. */
export function mcpDoctorText(report: McpDoctorReport, style: Style): string {
  const head = report.healthy ? style.good("The server works.") : style.bad("The server does not work as it should.");
  const stderr = report.stderr === "" ? "" : `${style.heading("What it said on standard error")}\n${report.stderr}`;
  return `${head}\n${style.dim(escapeUntrusted(report.command.join(" ")))}\n${report.checks.map((check) => checkText(check, style)).join("")}${stderr}`;
}

import { errorTable } from "@rea/core";
import { code, markdownTable, yesNo } from "./markdown-table.js";
import { referencePage, type ReferencePage } from "./reference-page.js";

export function errorsPage(): ReferencePage {
  const rows = Object.entries(errorTable).map(([name, entry]) => [
    code(name),
    entry.category,
    yesNo(entry.retryable),
    yesNo(entry.restartRequired),
    entry.action,
  ]);
  const sections = [
    "# Error codes",
    "Every failure is one object: `code`, `category`, `message`, `retryable`, `remediation` and `details`. " +
      "The code decides category, retryability and the default remedy.",
    markdownTable(["Code", "Category", "Retryable", "Restart required", "Default remedy"], rows),
  ];
  return referencePage("errors.md", sections.join("\n\n"));
}

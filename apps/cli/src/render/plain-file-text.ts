import { escapeUntrusted, type ErrorObject, type JsonObject } from "@rea/core";
import { byteSize } from "./figures.js";
import type { PageOptions } from "./front-page-text.js";

/** The page about what is no executable: what it is and why nothing deeper is said. */
export function renderPlainFile(opened: JsonObject, missing: readonly ErrorObject[], { path, style }: PageOptions): string {
  const name = escapeUntrusted(path.replace(/[\\/]+$/, "").split(/[\\/]/).pop() ?? path);
  const rows = [
    ["kind", text(opened["kind"])],
    ["format", text(opened["format"])],
    ["size", typeof opened["bytes"] === "number" && opened["kind"] !== "directory" ? byteSize(opened["bytes"]) : ""],
    ["sha256", text(opened["sha256"])],
    ["note", text(opened["note"])],
  ].filter(([, value]) => value !== "");
  const facts = rows.map(([label = "", value = ""]) => `${style.dim(label.padEnd(13))} ${value}\n`).join("");
  const reasons = opened["kind"] === "directory" ? ["This is a directory; give a file inside it."] : missing.map((error) => error.message);
  const why = [...new Set(reasons)].map((line) => `  - ${line}\n`).join("");
  return `${style.heading(name)}\nNot an executable that REA can read.\n${facts}${why === "" ? "" : `${style.heading("Why nothing deeper is said")}\n${why}`}`;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

import { artifactFormats, unreadFormats } from "@rea/artifact";
import { referencePage, type ReferencePage } from "./reference-page.js";

/** The containers that are opened, and those that are only recognised. */
export function formatsPage(): ReferencePage {
  const read = artifactFormats.flatMap(({ id, title, notes }) => [`## ${title} (\`${id}\`)`, "", ...notes.map((note) => `- ${note}`), ""]);
  const unread = unreadFormats.map((id) => `- \`${id}\``);
  const text = [
    "# Container formats",
    "",
    "Content decides what a file is; a name only refines. Containers are opened to any depth inside the bounds of the call.",
    "",
    ...read,
    "## Recognised, not opened",
    "",
    "Such a container is listed and hashed; what is in it is an omission `unsupported_format`.",
    "",
    ...unread,
    "",
  ].join("\n");
  return referencePage("formats.md", text);
}

import { artifactFormats, unreadFormats } from "@rea/artifact";
import { referencePage, type ReferencePage } from "./reference-page.js";

const carried = [
  "Archives and images in overlays (ZIP from its first member, 7z, cabinets, RAR, SquashFS, ISO 9660 and others) of ELF, PE and Mach-O files, and overlays that are not known.",
  "Archives and programs that are a section or a PE resource of their own.",
  "Applications of Node.js (single executables, in a note, section or resource), pkg, Bun, PyInstaller and .NET single files.",
  "Installers of NSIS, Inno Setup and AutoIt, by their marks; files packed by UPX; AppImage files.",
  "Archives behind a line of a script, as makeself writes them.",
];

/** The containers that are opened, and those that are only recognised. */
export async function formatsPage(): Promise<ReferencePage> {
  const read = (await artifactFormats()).flatMap(({ id, title, notes }) => [`## ${title} (\`${id}\`)`, "", ...notes.map((note) => `- ${note}`), ""]);
  const unread = unreadFormats.map((id) => `- \`${id}\``);
  const text = [
    "# Container formats",
    "",
    "Content decides what a file is; a name only refines. Containers are opened to any depth inside the bounds of the call.",
    "",
    ...read,
    "## Carried by programs and scripts",
    "",
    "A program with an archive behind it or in it stays one leaf. Its `container_hints` name what it carries, with offset, length and basis:",
    "",
    ...carried.map((line) => `- ${line}`),
    "",
    "## Recognised, not opened",
    "",
    "Such a container is listed and hashed; what is in it is an omission `unsupported_format`.",
    "",
    ...unread,
    "",
  ].join("\n");
  return referencePage("formats.md", text);
}

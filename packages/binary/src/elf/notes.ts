import type { Findings } from "../findings.js";
import type { FileRange } from "../image.js";
import type { ElfFile } from "./elf-file.js";
import { programTypes } from "./program-headers.js";
import { insideFile } from "./ranges.js";
import { sectionTypes } from "./section-headers.js";

/** One note (gABI: "Note Section"). */
export interface ElfNote {
  readonly owner: string;
  readonly type: number;
  readonly description: Uint8Array;
  readonly file: FileRange;
}

const maximumTables = 64;
const maximumNotes = 4096;
const maximumDescription = 1 << 20;

/** Notes of all note segments and note sections, each once. */
export function readNotes(file: ElfFile, findings: Findings): readonly ElfNote[] {
  const segments = file.programs
    .filter((program) => program.type === programTypes.note)
    .map((program) => ({ ...insideFile(file, program.offset, program.fileSize), align: Number(program.align) }));
  const sections = file.sections
    .filter((section) => section.type === sectionTypes.note)
    .map((section) => ({ ...insideFile(file, section.offset, section.size), align: 4 }));
  if (Math.max(segments.length, sections.length) > maximumTables) findings.limited("notes", "limit_items", 1, maximumTables);
  const byOffset = new Map<number, ElfNote>();
  for (const place of [...segments.slice(0, maximumTables), ...sections.slice(0, maximumTables)]) {
    for (const note of notesAt(file, place, findings)) {
      if (!byOffset.has(note.file.offset)) byOffset.set(note.file.offset, note);
      if (byOffset.size >= maximumNotes) {
        findings.limited("notes", "limit_items", 1, maximumNotes);
        return [...byOffset.values()];
      }
    }
  }
  return [...byOffset.values()];
}

function notesAt(file: ElfFile, place: FileRange & { readonly align: number }, findings: Findings): readonly ElfNote[] {
  const { reader } = file;
  const align = place.align === 8 ? 8 : 4;
  const end = place.offset + place.size;
  const notes: ElfNote[] = [];
  let at = place.offset;
  while (at + 12 <= end && notes.length < maximumNotes) {
    const nameSize = reader.u32(at);
    const size = reader.u32(at + 4);
    const description = roundUp(at + 12 + nameSize, align, place.offset);
    if (description + size > end) {
      findings.malformed("notes", at, "a note is longer than the table that holds it");
      return notes;
    }
    const owner = Buffer.from(reader.bytes(at + 12, Math.min(nameSize, 64))).toString("latin1").replace(/\0+$/, "");
    notes.push({
      owner,
      type: reader.u32(at + 8),
      description: reader.bytes(description, Math.min(size, maximumDescription)),
      file: { offset: at, size: description + size - at },
    });
    at = roundUp(description + size, align, place.offset);
  }
  return notes;
}

/** Notes are padded to 4 bytes, or 8 where their segment says so. */
function roundUp(value: number, align: number, base: number): number {
  return base + Math.ceil((value - base) / align) * align;
}

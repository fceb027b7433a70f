import { endRecordPlaces, lastEndRecordPlace, readEndRecord, type EndRecord } from "./end-record.js";
import type { PieceWindow } from "../../reading/piece-window.js";
import { fixedBytes, signatures } from "./signatures.js";

/** Where the central directory lies in the container. */
export interface DirectoryPlace {
  readonly start: number;
  /** Where it ends by its declared size. */
  readonly end: number;
  /** What offsets of the archive are to be increased by. */
  readonly bias: number;
  /** The start that offset and size give when read the other way, where a directory with a member begins as well. */
  readonly otherStart: number | undefined;
  readonly encrypted: boolean;
}

export interface ChosenDirectory {
  readonly record: EndRecord;
  /** Undefined when the record leads to no directory. */
  readonly place: DirectoryPlace | undefined;
  /** Places of further end records behind the start of the directory. */
  readonly others: readonly number[];
}

type Candidate = Omit<ChosenDirectory, "others">;

/**
 * Picks the end record as careful readers do: the last one whose comment ends with the file and that leads to a
 * directory with members, then to an empty one, then the same for records with something behind them, then the last.
 * Undefined when there is none.
 */
export function chooseDirectory(window: PieceWindow, signal: AbortSignal): ChosenDirectory | undefined {
  const tail = endRecordPlaces(window);
  const places = tail.length > 0 ? tail : [lastEndRecordPlace(window, signal)].flatMap((at) => at ?? []);
  const candidates = places.slice(0, examined).map((at): Candidate => {
    const record = readEndRecord(window, at);
    return { record, place: placeOf(window, record) };
  });
  const isExact = ({ record }: Candidate): boolean => record.end === window.size;
  const isFilled = ({ place }: Candidate): boolean => place !== undefined && place.end > place.start;
  const leads = ({ place }: Candidate): boolean => place !== undefined;
  const chosen =
    candidates.find((candidate) => isFilled(candidate) && isExact(candidate)) ??
    candidates.find((candidate) => leads(candidate) && isExact(candidate)) ??
    candidates.find(isFilled) ??
    candidates.find(leads) ??
    candidates[0];
  if (chosen === undefined) return undefined;
  const start = chosen.place?.start ?? chosen.record.at;
  return { ...chosen, others: places.filter((at) => at !== chosen.record.at && at >= start) };
}

/** A tail of nothing but signatures must not cost a look at each. */
const examined = 1024;

function placeOf(window: PieceWindow, record: EndRecord): DirectoryPlace | undefined {
  const { directoryBytes, directoryOffset, entries } = record.fields;
  const areaEnd = record.zip64?.at ?? record.at;
  const before = areaEnd - directoryBytes;
  if (entries === 0 && directoryBytes === 0) return emptyPlace(record, areaEnd);
  const declared = directoryOffset;
  const shifted = declared + (record.zip64?.shift ?? 0);
  const starts = [before, shifted, declared].filter((start) => isDirectory(window, start, areaEnd));
  const leading = starts.filter((candidate) => firstMemberIsThere(window, candidate, candidate - declared));
  const start = leading[0] ?? starts[0];
  if (start === undefined) return encryptedPlace(window, record, areaEnd);
  return {
    start,
    end: Math.min(areaEnd, start + directoryBytes),
    bias: start - declared,
    otherStart: leading.find((candidate) => candidate !== start),
    encrypted: false,
  };
}

function emptyPlace(record: EndRecord, areaEnd: number): DirectoryPlace {
  const bias = Math.max(0, areaEnd - record.fields.directoryOffset);
  return { start: areaEnd, end: areaEnd, bias, otherStart: undefined, encrypted: false };
}

function isDirectory(window: PieceWindow, start: number, areaEnd: number): boolean {
  return start >= 0 && start + fixedBytes.central <= areaEnd && window.u32(start) === signatures.central;
}

/** Whether the directory's first record leads to a local header when offsets count from this bias. */
function firstMemberIsThere(window: PieceWindow, start: number, bias: number): boolean {
  if (!window.holds(start, fixedBytes.central)) return false;
  const offset = window.bytes(start, fixedBytes.central).readUInt32LE(42);
  return window.u32(offset + bias) === signatures.local;
}

/** APPNOTE 7.3: an encrypted directory starts with an archive extra data record, or is named so by the zip64 record. */
function encryptedPlace(window: PieceWindow, record: EndRecord, areaEnd: number): DirectoryPlace | undefined {
  const { directoryBytes, directoryOffset } = record.fields;
  const start = [areaEnd - directoryBytes, directoryOffset].find(
    (at) => window.holds(at, 4) && at < areaEnd && (record.zip64?.encrypts === true || window.u32(at) === signatures.archiveExtraData),
  );
  if (start === undefined) return undefined;
  return { start, end: areaEnd, bias: start - directoryOffset, otherStart: undefined, encrypted: true };
}

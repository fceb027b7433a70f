import { omission, type Omission } from "@rea/core";
import { bufferOf } from "../../reading/piece-window.js";
import type { HfsVolume } from "./volume-header.js";

/** Changes that stand in the journal and not yet in the volume; undefined when there are none. */
export function pendingJournal({ source, isJournaled, journalInfoBlock, blockBytes }: HfsVolume): Omission | undefined {
  if (!isJournaled) return undefined;
  const infoAt = journalInfoBlock * blockBytes;
  if (infoAt + 52 > source.size) return undefined;
  const headerAt = bufferOf(source.read(infoAt + 36, 8)).readBigUInt64BE(0);
  if (headerAt + 32n > BigInt(source.size)) return undefined;
  const header = bufferOf(source.read(Number(headerAt), 32));
  const isLittle = header.readUInt32LE(0) === 0x4a4e4c78;
  if (!isLittle && header.readUInt32BE(0) !== 0x4a4e4c78) return undefined;
  const [start, end] = [8, 16].map((at) => (isLittle ? header.readBigUInt64LE(at) : header.readBigUInt64BE(at)));
  if (start === end) return undefined;
  return omission("The volume was not closed: changes in its journal are not applied, so it is read as it was before them.", "not_examined");
}

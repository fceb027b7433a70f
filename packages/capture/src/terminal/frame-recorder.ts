import type { CaptureFrame, Omission } from "@rea/core";
import { omission } from "@rea/core";
import type { Redactor } from "../sensitive/redactor.js";
import { StreamRedactor } from "../sensitive/stream-redactor.js";

export interface FrameLimits {
  readonly output_bytes: number;
  readonly frames: number;
}

/** Writes down what the program writes, one frame for each read, with hidden values replaced and within its bounds. */
export class FrameRecorder {
  readonly #stream: StreamRedactor;
  readonly #limits: FrameLimits;
  readonly #onFrame: (frame: CaptureFrame) => void;
  readonly #kept: Buffer[] = [];
  #keptBytes = 0;
  #frames = 0;
  #lostBytes = 0;
  #passed: "frames" | "bytes" | null = null;

  constructor(options: { readonly redactor: Redactor; readonly limits: FrameLimits; readonly onFrame: (frame: CaptureFrame) => void }) {
    this.#stream = new StreamRedactor(options.redactor);
    this.#limits = options.limits;
    this.#onFrame = options.onFrame;
  }

  take(chunk: Buffer, atMs: number): void {
    this.#record(this.#stream.take(chunk), atMs);
  }

  end(atMs: number): void {
    this.#record(this.#stream.end(), atMs);
  }

  /** Everything that was kept, one after the other. */
  bytes(): Buffer {
    return Buffer.concat(this.#kept);
  }

  get truncated(): boolean {
    return this.#passed !== null;
  }

  omissions(): readonly Omission[] {
    if (this.#passed === null) return [];
    const [reason, limit] = this.#passed === "frames" ? (["limit_items", "frames"] as const) : (["limit_total_bytes", "output_bytes"] as const);
    return [omission("frames", reason, { count: this.#lostBytes, limit: this.#limits[limit], how_to_continue: `Capture again with a larger limits.${limit}.` })];
  }

  #record(bytes: Buffer, atMs: number): void {
    if (bytes.length === 0) return;
    const room = this.#passed === null ? this.#limits.output_bytes - this.#keptBytes : 0;
    if (this.#passed === null && this.#frames >= this.#limits.frames) this.#passed = "frames";
    const kept = this.#passed === null ? bytes.subarray(0, room) : bytes.subarray(0, 0);
    this.#lostBytes += bytes.length - kept.length;
    if (this.#passed === null && kept.length < bytes.length) this.#passed = "bytes";
    if (kept.length === 0) return;
    this.#kept.push(kept);
    this.#keptBytes += kept.length;
    this.#frames += 1;
    this.#onFrame({ at_ms: atMs, data_base64: kept.toString("base64") });
  }
}

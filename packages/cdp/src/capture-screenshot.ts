import { omission, sha256Hex, z, type CaptureWebScreenshotInput, type OperationContext, type WebBrowser, type WebCompleteness, type WebTarget } from "@rea/core";
import { requireBoundary, takeBoundary } from "./page/boundary.js";
import { CaptureNotes } from "./page/capture-notes.js";
import { FrameMap } from "./page/frame-map.js";
import { parseEndpoint } from "./protocol/endpoint.js";
import { observationError } from "./protocol/failures.js";
import { admitPage, attachPage } from "./targets/attach.js";

const operation = "capture_web_screenshot";
const frameLimit = 200;

const metrics = z.looseObject({ cssVisualViewport: z.looseObject({ clientWidth: z.number().positive(), clientHeight: z.number().positive() }) });
const screenshot = z.looseObject({ data: z.string() });

/** What a page showed. */
export interface PageScreenshot {
  readonly browser: WebBrowser;
  readonly target: WebTarget;
  readonly png: Buffer;
  readonly sha256: string;
  readonly viewport: { readonly width: number; readonly height: number; readonly device_scale_percent: number };
  readonly image: { readonly width: number; readonly height: number };
  readonly completeness: WebCompleteness;
  readonly limitations: readonly string[];
}

/** Takes the picture of the viewport as it is; nothing is scrolled, resized or brought to the front. Throws an observation error. */
export async function captureScreenshot(input: Omit<CaptureWebScreenshotInput, "inline">, { signal, progress }: OperationContext): Promise<PageScreenshot> {
  const endpoint = parseEndpoint(input.cdp_endpoint, { operation, field: "cdp_endpoint" });
  const page = await admitPage({ endpoint, operation, signal, targetId: input.target_id, allowedOrigins: input.allowed_origins, supports: (url) => /^https?:/i.test(url) });
  const notes = new CaptureNotes();
  const attached = await attachPage(page);
  try {
    const boundary = await takeBoundary(attached.session, page);
    const frames = new FrameMap(page, { limit: frameLimit, notes });
    await frames.read(attached);
    progress.report({ phase: "capturing", completed: 0, message: "Taking the picture." });
    const { cssVisualViewport: viewport } = await attached.session.command("Page.getLayoutMetrics", {}, metrics);
    const { data } = await attached.session.command("Page.captureScreenshot", { format: "png", captureBeyondViewport: false }, screenshot);
    await requireBoundary(attached.session, page, boundary);
    const png = requireImage(data, input.maximum_image_bytes);
    const image = sizeOf(png);
    return {
      browser: page.browser,
      target: page.target,
      png,
      sha256: sha256Hex(png),
      viewport: {
        width: Math.round(viewport.clientWidth),
        height: Math.round(viewport.clientHeight),
        device_scale_percent: Math.round((image.width * 100) / viewport.clientWidth),
      },
      image,
      completeness: completenessOf(notes),
      limitations: [...page.limitations, "The picture is of the viewport; what lies beyond it or was not yet drawn is not in it.", ...foreignFrames(notes)],
    };
  } finally {
    await attached.close();
  }
}

function completenessOf(notes: CaptureNotes): WebCompleteness {
  if (notes.state("frames") === "partial") notes.attachLimited("image", omission("image", "not_examined"));
  return notes.completeness(["image"]);
}

/** A picture cannot leave out what is drawn in the middle of it. */
function foreignFrames(notes: CaptureNotes): string[] {
  const excluded = notes.completeness([]).excluded.find(({ section }) => section === "frames");
  return excluded === undefined ? [] : [`The picture also shows what ${String(excluded.count)} frames of other origins draw.`];
}

function requireImage(data: string, maximumBytes: number): Buffer {
  const png = Buffer.from(data, "base64");
  if (png.length > maximumBytes) {
    throw observationError({
      operation,
      reason: "payload_limit",
      message: `The picture has ${String(png.length)} bytes, more than maximum_image_bytes allows. Raise it, up to 8388608.`,
      details: { maximum_image_bytes: maximumBytes, actual_bytes: png.length },
    });
  }
  if (png.length >= 33 && png.readUInt32BE(0) === 0x89504e47 && png.toString("latin1", 12, 16) === "IHDR") return png;
  throw observationError({ operation, reason: "protocol_error", message: "What the browser sent is not a PNG image. Check what listens on the port." });
}

/** PNG §11.2.1: width and height are the first two numbers of the header chunk. */
function sizeOf(png: Buffer): { readonly width: number; readonly height: number } {
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
}

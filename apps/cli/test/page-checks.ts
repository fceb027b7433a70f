import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { z } from "@rea/core";

export const browser = ["/usr/bin/chromium", "/usr/bin/google-chrome"].find((path) => existsSync(path));

/** What a real browser says of a page. */
const found = z.object({
  /** Rules of accessibility that the page breaks, each with a place. */
  violations: z.array(z.string()),
  /** How many rules it was held against. */
  passes: z.number(),
  wider: z.boolean(),
  dark: z.boolean(),
  /** Texts of pictures that are hard to read, that leave their box, or that lie over each other. */
  faint: z.array(z.string()),
  outside: z.array(z.string()),
  overlapping: z.array(z.string()),
  pictures: z.number(),
});
export type PageFindings = z.output<typeof found>;

interface PageView {
  readonly width: number;
  readonly dark: boolean;
}

/**
 * Opens a copy of a page in a real browser and checks it from inside, with an accessibility checker and by measuring. The page
 * itself may run nothing, so the copy is one without its policy.
 */
export function checkPage(place: string, page: string, { width, dark }: PageView): PageFindings {
  const file = join(place, `checked-${String(width)}-${String(dark)}.html`);
  const checker = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  const text = readFileSync(page, "utf8").replace(/<meta http-equiv[^>]*>/u, "");
  writeFileSync(file, text.replace("</body>", () => `<script>${checker}</script><script>${probe}</script></body>`));
  const options = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    `--window-size=${String(width)},1200`,
    `--blink-settings=preferredColorScheme=${dark ? "0" : "1"}`,
    `--user-data-dir=${join(place, "profile")}`,
    "--virtual-time-budget=600000",
    "--dump-dom",
    `file://${file}`,
  ];
  const { stdout } = spawnSync(browser ?? "", options, { encoding: "utf8", timeout: 240_000, maxBuffer: 64 * 1024 * 1024 });
  const answer = /<title>FOUND(.*?)<\/title>/su.exec(stdout)?.[1] ?? "";
  return found.parse(JSON.parse(decodeURIComponent(answer)));
}

const probe = String.raw`
(async () => {
  const luminance = ([r, g, b]) => [r, g, b].map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const colour = (text) => (text.match(/[\d.]+/g) ?? [255, 255, 255]).map(Number);
  const contrast = (a, b) => { const [x, y] = [luminance(colour(a)), luminance(colour(b))].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
  const ground = (element) => { for (let at = element; at; at = at.parentElement) { const c = colour(getComputedStyle(at).backgroundColor); if (c.length < 4 || c[3] > 0) return "rgb(" + c.slice(0, 3).join() + ")"; } return "rgb(255,255,255)"; };
  const faint = [], outside = [], overlapping = [];
  const pictures = [...document.querySelectorAll("svg")];
  for (const svg of pictures) {
    const texts = [...svg.querySelectorAll("text")];
    for (const text of texts) {
      const box = text.parentElement.tagName === "g" ? text.parentElement.querySelector("rect") : null;
      const behind = box === null ? ground(svg) : getComputedStyle(box).fill;
      if (contrast(getComputedStyle(text).fill, behind) < 4.5) faint.push(text.textContent);
      if (parseFloat(getComputedStyle(text).fontSize) * (svg.getBoundingClientRect().width / svg.viewBox.baseVal.width) < 9.9) faint.push("small: " + text.textContent);
      if (box === null) continue;
      const [t, b] = [text.getBBox(), box.getBBox()];
      if (t.x < b.x || t.x + t.width > b.x + b.width + 1 || t.y < b.y || t.y + t.height > b.y + b.height + 1) outside.push(text.textContent);
    }
    const boxes = texts.filter((text) => text.parentElement.tagName === "g" || svg.classList.contains("map")).map((text) => [text.textContent, text.getBBox()]);
    for (let i = 0; i < boxes.length; i += 1) for (let j = i + 1; j < boxes.length; j += 1) {
      const [[a, p], [b, q]] = [boxes[i], boxes[j]];
      if (p.x + p.width > q.x + 0.5 && q.x + q.width > p.x + 0.5 && p.y + p.height > q.y + 2 && q.y + q.height > p.y + 2) overlapping.push(a + " / " + b);
    }
  }
  const wider = document.documentElement.scrollWidth > document.documentElement.clientWidth;
  const { violations, passes } = await axe.run(document, { resultTypes: ["violations", "passes"] });
  const list = violations.map((v) => v.id + ": " + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 200)).join(" | "));
  document.title = "FOUND" + encodeURIComponent(JSON.stringify({ violations: list, passes: passes.length, wider, dark: matchMedia("(prefers-color-scheme: dark)").matches, faint, outside, overlapping, pictures: pictures.length }));
})();
`;

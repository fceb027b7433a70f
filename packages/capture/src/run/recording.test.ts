import { expect, test } from "vitest";
import { Redactor } from "../sensitive/redactor.js";
import { Screen, type Screenshot } from "../terminal/screen.js";
import { Recording } from "./recording.js";

const full: Screenshot = { columns: 1000, rows: 1000, cursor: { column: 0, row: 0 }, buffer: "normal", lines: Array.from({ length: 1000 }, () => "x".repeat(1000)) };

test("screens are kept up to a bound, those left out are counted, and the last one is kept in any case", async () => {
  const recording = new Recording();
  let looks = 0;
  const screen = { look: () => Promise.resolve(((looks += 1), full)) };
  for (let input = 0; input < 100; input += 1) await recording.look(screen, { trigger: "before_input" });
  await recording.look(screen, { trigger: "final" });
  expect(recording.rendered.length).toBe(looks);
  expect(looks).toBeLessThan(20);
  expect(recording.rendered.at(-1)?.trigger).toBe("final");
  expect(recording.omissions()).toMatchObject([{ scope: "rendered_frames", reason: "limit_total_bytes", count: 101 - looks }]);
});

test("a screen shows the same text whether or not there is something to hide", async () => {
  const output = "plain \u{1f600} 漢字 e\u0301\tx\r\n\x1b[5Cgap\x1b[2;20Hend  \r\n\x1b[31mred\x1b[0m   ";
  const shots = await Promise.all(
    [[], [{ alias: "<0>", bytes: Buffer.from("not there") }]].map(async (values) => {
      const screen = new Screen({ columns: 30, rows: 5, scrollback: 10, redactor: new Redactor(values), reply: () => undefined });
      screen.write(Buffer.from(output.repeat(3)));
      const shot = await screen.look();
      screen.close();
      return shot;
    }),
  );
  expect(shots[0]).toEqual(shots[1]);
  expect(shots[0]?.lines.join("\n")).toContain("漢字");
});

import { expect, test } from "vitest";
import { formatTitles } from "./format-titles.js";
import { formats } from "./index.js";

test("the titles are those of the readers, one for each", () => {
  expect(Object.entries(formatTitles)).toHaveLength(formats.length);
  expect(formatTitles).toEqual(Object.fromEntries(formats.map(({ id, title }) => [id, title])));
});

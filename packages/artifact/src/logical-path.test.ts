import { expect, test } from "vitest";
import { placeName } from "./logical-path.js";

const place = (text: string) => placeName({ bytes: new TextEncoder().encode(text), text }, { prefixBytes: 0, maxPathBytes: 65_535 });

test("a name of more than 256 segments is not safe: each may imply a directory that keeps its whole path", () => {
  expect(place(Array.from({ length: 256 }, () => "a").join("/"))?.unsafe).toBeUndefined();
  expect(place(Array.from({ length: 257 }, () => "a").join("/"))).toMatchObject({ segments: ["unsafe", expect.any(String)], unsafe: { rule: "depth" } });
});

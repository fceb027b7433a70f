import { expect, test } from "vitest";
import { listState } from "./choose-from-list.js";
import { chosenValues } from "./terminal-prompts.js";

const choices = ["a", "b", "c"].map((value) => ({ value, label: value }));

test("numbers with commas or blanks choose, in the order of the list; all takes all; anything else is asked again", () => {
  expect(chosenValues("3, 1", choices)).toEqual(["a", "c"]);
  expect(chosenValues("2 2", choices)).toEqual(["b"]);
  expect(chosenValues("ALL", choices)).toEqual(["a", "b", "c"]);
  for (const answer of ["0", "4", "x", "1,x", "-1", ","]) expect(chosenValues(answer, choices)).toBeNull();
});

test("arrows go round, blank ticks and unticks, a ticks all, enter takes and escape leaves", () => {
  const state = listState(3);
  expect(state.press("up")).toBe("stay");
  expect(state.at).toBe(2);
  state.press("down");
  expect(state.at).toBe(0);
  state.press("space");
  expect([...state.ticked]).toEqual([0]);
  state.press("space");
  expect(state.ticked.size).toBe(0);
  state.press("a");
  expect(state.ticked.size).toBe(3);
  expect(state.press("return")).toBe("take");
  expect(state.press("escape")).toBe("leave");
});

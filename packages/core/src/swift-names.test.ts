import { describe, expect, test } from "vitest";
import { swiftNominalSymbol, swiftTypeText } from "./swift-names.js";

describe("a symbol of a Swift type", () => {
  test.each([
    ["_$s4Main3DogCMn", { module: "Main", name: "Dog", kind: "class" }],
    ["$s4Main3DogC6CollarVN", { module: "Main", name: "Dog.Collar", kind: "struct" }],
    ["_$s4Main5SpeakMp", { module: "Main", name: "Speak", kind: "protocol" }],
    ["_$s4Main4KindOMa", { module: "Main", name: "Kind", kind: "enum" }],
    ["_$sSHMp", { module: "Swift", name: "Hashable", kind: "protocol" }],
    ["_$ss5ErrorMp", { module: "Swift", name: "Error", kind: "protocol" }],
  ])("%s names it", (symbol, expected) => {
    expect(swiftNominalSymbol(symbol)).toEqual(expected);
  });

  test.each(["_main", "_$s", "_$s4Main3DogC4barkyyF", "_$s4Main3DogCAA", "_$s9999DogCMn", "_$s4Main03DogC0CMn", "$s4Main"])(
    "is not what %s is",
    (symbol) => {
      expect(swiftNominalSymbol(symbol)).toBeUndefined();
    },
  );
});

describe("a mangled type", () => {
  test.each([
    [["Si"], "Int"],
    [["SaySSSgG"], "[String?]"],
    [["SDySSypG"], "[String: Any]"],
    [["So8NSObjectC"], "NSObject"],
    [[{ name: "Main.Box" }, "ySi", { name: "Main.Key" }, "GSg"], "Main.Box<Int, Main.Key>?"],
    [["Siyc"], "Siyc"],
    [[{ name: "Main.Box" }, "_pXpt"], "{Main.Box}_pXpt"],
  ])("%j reads %s", (pieces, expected) => {
    expect(swiftTypeText(pieces)).toBe(expected);
  });

  test("that nests without end comes back as it is", () => {
    const deep = "Say".repeat(10_000);
    expect(swiftTypeText([deep])).toBe(deep);
  });
});

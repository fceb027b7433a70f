import { describe, expect, test } from "vitest";
import { windowsCommand, windowsCommandLine } from "./windows-command.js";

const launcher = "C:\\Program Files\\ghidra_12.1_PUBLIC\\support\\analyzeHeadless.bat";

describe("a command line for Windows' command interpreter", () => {
  test("quotes every token and the whole", () => {
    expect(windowsCommandLine(launcher, ["C:\\Users\\Jörg (work)\\t; $x=1,", "rea", "-max-cpu", "2"])).toBe(
      `""${launcher}" "C:\\Users\\Jörg (work)\\t; $x=1," "rea" "-max-cpu" "2""`,
    );
  });

  test.each(['"', "%", "^", "!", "&", "|", "<", ">", "\n", "\r", "\0", "\t", "\u007f"])("refuses a token with %j, and does not repeat it", (character) => {
    const token = `C:\\secret${character}name`;
    for (const [program, args] of [[launcher, ["-import", token]], [token, []]] as const) {
      const attempt = (): string => windowsCommandLine(program, args);
      expect(attempt).toThrow(expect.objectContaining({ code: "provider_unavailable", details: { provider_id: "ghidra", reason: "invalid_launch_command" } }));
      expect(attempt).not.toThrow("secret");
    }
  });

  test("refuses what would change where a token ends, and what is empty", () => {
    expect(() => windowsCommandLine(launcher, ["C:\\ends with\\"])).toThrow("Token 1");
    expect(() => windowsCommandLine(launcher, [""])).toThrow("Token 1");
  });

  test("refuses a line of more than 30,000 characters", () => {
    const room = 30_000 - windowsCommandLine(launcher, [""+ "x"]).length + 1;
    expect(windowsCommandLine(launcher, ["x".repeat(room)])).toHaveLength(30_000);
    expect(() => windowsCommandLine(launcher, ["x".repeat(room + 1)])).toThrow("30000");
  });

  test("is given to the interpreter below the system's directory, whatever ComSpec says", () => {
    expect(windowsCommand({ SystemRoot: "D:\\Windows", ComSpec: "C:\\evil.exe" }, launcher, ["rea"])).toEqual({
      executable: "D:\\Windows\\System32\\cmd.exe",
      arguments: ["/d", "/s", "/v:off", "/c", `""${launcher}" "rea""`],
    });
    expect(windowsCommand({}, launcher, []).executable).toBe("C:\\Windows\\System32\\cmd.exe");
    expect(() => windowsCommand({ SystemRoot: "Windows" }, launcher, [])).toThrow("SystemRoot");
    expect(() => windowsCommand({ SystemRoot: "C:\\%evil%" }, launcher, [])).toThrow("SystemRoot");
  });
});

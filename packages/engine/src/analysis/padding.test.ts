import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openFileSource, openImage } from "@rea/binary";
import { expect, test } from "vitest";
import { analyzeProgram } from "./analyze-program.js";

test("fill between functions and lazy halves of stubs count as examined; code that nothing owns does not", async (context) => {
  const place = mkdtempSync(join(tmpdir(), "rea-padding-"));
  try {
    const source = join(place, "program.c");
    const program = join(place, "program");
    // 24 bytes that decode but belong to nothing, behind an unconditional end.
    writeFileSync(
      source,
      '#include <stdio.h>\nint main(void){puts("x");return 0;}\n__asm__(".text\\n.balign 16\\nmov $1,%eax\\nmov $2,%ecx\\nxor %edx,%edx\\nadd %ecx,%eax\\nsub %edx,%eax\\nimul %ecx,%eax\\nnot %eax\\n.byte 0x06\\n");\n',
    );
    const built = spawnSync("gcc", ["-O1", "-Wl,-z,lazy", "-o", program, source]);
    if (built.status !== 0 || process.arch !== "x64") return context.skip("gcc for x86-64 is not installed");
    const { coverage } = await analyzeProgram(openImage(openFileSource(program)), {});
    const left = coverage.codeBytes - coverage.examinedCodeBytes;
    expect(left).toBeGreaterThanOrEqual(20);
    expect(left).toBeLessThan(80);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
});

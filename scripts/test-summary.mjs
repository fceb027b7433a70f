// A vitest reporter for people who read logs: a line per file, failures in full, every skipped test with its reason.
import { relative } from "node:path";
import { root } from "./workspace.mjs";

export class TestSummary {
  passed = 0;
  failed = 0;
  skipped = 0;
  #vitest;
  #skippedTests = [];
  #failures = [];

  onInit(vitest) {
    this.#vitest = vitest;
  }

  onTestModuleEnd(module) {
    const before = { passed: this.passed, failed: this.failed, skipped: this.skipped };
    for (const test of module.children.allTests()) this.#count(test, fileOf(module));
    // A file that cannot be loaded, or whose hooks fail, has no failing test to show for it.
    for (const suite of [module, ...module.children.allSuites()]) {
      for (const error of suite.errors()) this.#fail(`${fileOf(module)} > ${suite.fullName ?? "(file)"}`, [error]);
    }
    const count = (key) => this[key] - before[key];
    const state = count("failed") > 0 ? "FAILED" : "ok";
    const skips = count("skipped") > 0 ? `, ${count("skipped")} skipped` : "";
    const seconds = (module.diagnostic().duration / 1000).toFixed(1);
    const fails = count("failed") > 0 ? `, ${count("failed")} failed` : "";
    console.log(`${state} ${fileOf(module)} (${count("passed")} passed${fails}${skips}, ${seconds} s)`);
  }

  onUserConsoleLog(log) {
    process.stderr.write(log.content);
  }

  onTestRunEnd(_modules, unhandledErrors) {
    if (unhandledErrors.length > 0) this.#fail("outside any test", unhandledErrors);
    for (const { name, errors } of this.#failures) {
      console.log(`\nFAILED ${name}`);
      for (const error of errors) this.#vitest.logger.printError(error, { showCodeFrame: true });
    }
    if (this.#skippedTests.length > 0) console.log("\nSkipped:");
    for (const { name, reason } of this.#skippedTests) console.log(`skipped ${name}: ${reason}`);
  }

  #count(test, file) {
    const name = `${file} > ${test.fullName}`;
    const result = test.result();
    if (result.state === "passed") this.passed += 1;
    else if (result.state === "failed") this.#fail(name, result.errors ?? []);
    else {
      this.skipped += 1;
      this.#skippedTests.push({ name, reason: skipReason(test, result) });
    }
  }

  #fail(name, errors) {
    this.failed += 1;
    this.#failures.push({ name, errors });
  }
}

// `context.skip("needs readelf")` carries its reason; `test.skip` and `test.todo` carry none.
function skipReason(test, result) {
  if (result.note) return result.note;
  if (test.options.mode === "todo") return "not written yet";
  return result.state === "pending" ? "did not run" : "no reason given; call context.skip(reason)";
}

function fileOf(module) {
  return relative(root, module.moduleId).replaceAll("\\", "/");
}

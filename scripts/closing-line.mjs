/** Ends a test run with one plain line that any reader of logs can count on: `N passed, N failed, N skipped`. */
export default class ClosingLine {
  onTestRunEnd(modules) {
    const count = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      if (module.state() === "failed" && [...module.children.allTests()].length === 0) count.failed++;
      for (const test of module.children.allTests()) {
        const state = test.result().state;
        if (state in count) count[state]++;
      }
    }
    console.log(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
  }
}

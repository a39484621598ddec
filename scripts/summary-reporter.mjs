import { Minipass } from 'minipass';
import { Parser } from 'tap-parser';

/** tap reporter: prints each failing assertion with its file, then `N passed, N failed, N skipped`. */
export default class SummaryReporter extends Minipass {
  #parser = new Parser();
  #passed = 0;
  #failed = 0;
  #skipped = 0;

  constructor() {
    super({ encoding: 'utf8' });
    this.#watch(this.#parser, []);
    this.#parser.on('complete', () => {
      super.write(`\n${this.#passed} passed, ${this.#failed} failed, ${this.#skipped} skipped\n`);
      super.end();
    });
  }

  // A subtest ends with a test point that repeats its verdict: only leaves are counted, and a subtest that
  // failed without any failing leaf (a crash, a time-out, a plan that was not kept).
  #watch(parser, path) {
    let failedBeforeChild = null;
    parser.on('child', (child) => {
      failedBeforeChild = this.#failed;
      this.#watch(child, [...path, child.name]);
    });
    parser.on('assert', (point) => {
      const endsSubtest = failedBeforeChild !== null;
      const childFailed = endsSubtest && this.#failed > failedBeforeChild;
      failedBeforeChild = null;
      if (point.skip || point.todo) this.#skipped += 1;
      else if (!point.ok && !childFailed) this.#fail(path, point);
      else if (point.ok && !endsSubtest) this.#passed += 1;
      if (path.length === 0 && endsSubtest)
        super.write(`${point.ok ? 'ok' : 'NOT OK'} ${point.name} ${seconds(point.time)}\n`);
    });
  }

  #fail(path, point) {
    this.#failed += 1;
    super.write(`not ok ${[...path, point.name].filter(Boolean).join(' > ')}\n`);
    const { diff, at, message, found, wanted, exitCode, signal } = point.diag ?? {};
    if (diff) super.write(`${diff}\n`);
    else if (found !== undefined || wanted !== undefined) {
      super.write(`  found ${JSON.stringify(found)}, wanted ${JSON.stringify(wanted)}\n`);
    }
    if (message) super.write(`  ${message}\n`);
    if (at?.fileName) super.write(`  at ${at.fileName}:${at.lineNumber}\n`);
    if (exitCode || signal) super.write(`  exit code ${exitCode ?? '-'}, signal ${signal ?? '-'}\n`);
  }

  write(chunk) {
    this.#parser.write(chunk);
    return true;
  }

  end(chunk) {
    if (chunk) this.#parser.write(chunk);
    this.#parser.end();
    return this;
  }
}

function seconds(milliseconds) {
  return milliseconds === undefined || milliseconds === null ? '' : `(${(milliseconds / 1000).toFixed(1)} s)`;
}

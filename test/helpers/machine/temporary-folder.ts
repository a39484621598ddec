import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder that is removed when the test ends. */
export function temporaryFolder(t: { teardown(run: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'picket-test-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

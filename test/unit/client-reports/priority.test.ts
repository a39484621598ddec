import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import t from 'tap';
import { createMakePdf } from '../../../control-plane/client-reports/pdf/make-pdf.js';
import { systemClock } from '../../../kernel/clock.js';

t.test('the process that makes a PDF gives way to results, votes and pages', async (t) => {
  const end = new AbortController();
  const made = createMakePdf({ clock: systemClock })({} as never, end.signal);
  const [pid] = childrenOf(process.pid);
  t.equal(getPriority(pid), getPriority() + 5);
  end.abort(new Error('enough'));
  await t.rejects(made, { message: 'enough' });
});

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && name !== String(parent))
    .filter((name) => parentOf(name) === parent && commandOf(name).includes('pdf-process'))
    .map(Number);
}

function parentOf(pid: string): number {
  // The name of the program, in parentheses, may contain anything.
  const [, rest = ''] = read(`/proc/${pid}/stat`).split(/\) (?=[A-Z] )/);
  return Number(rest.split(' ')[1]);
}

function commandOf(pid: string): string {
  return read(`/proc/${pid}/cmdline`);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

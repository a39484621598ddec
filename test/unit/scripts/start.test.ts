import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import t from 'tap';

/** If the script went on to build and start Picket, it would not end at all. */
const ENDS_MS_MAX = 300_000;
const SCRIPT = 'scripts/start';
const start = (...parts: string[]) => spawnSync(SCRIPT, parts, { encoding: 'utf8', timeout: ENDS_MS_MAX });

t.test('scripts/start explains itself, and starts nothing', (t) => {
  const settings = readFileSync('docs/operating.md', 'utf8');
  for (const option of ['--help', '-h']) {
    const { status, stdout, stderr } = start(option);
    t.equal(status, 0);
    t.match(stdout, /^usage: scripts\/start\n/);
    t.equal(stderr, '');
    const named = stdout.match(/PICKET_\w+/g) ?? [];
    t.ok(named.length > 3);
    for (const name of named) t.ok(settings.includes(`| \`${name}\` |`), `${name} is in docs/operating.md`);
  }
  t.end();
});

t.test('scripts/start refuses an argument that it does not know', (t) => {
  const { status, stdout, stderr } = start('--port=8081');
  t.equal(status, 64);
  t.equal(stdout, '');
  t.match(stderr, /^scripts\/start: unknown argument: --port=8081\nusage: /);
  t.end();
});

import t from 'tap';
import { createYamlReader } from '../../../control-plane/monitor-transfer/yaml-file.js';
import { systemClock } from '../../../kernel/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { hostileYaml } from '../../helpers/http/hostile-yaml.js';
import { watchChildren } from '../../helpers/processes/child-processes.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { peakMemory } from '../../helpers/processes/peak-memory.js';

const MIB = 1024 * 1024;
/**
 * Of the control plane and the process that parses, together. The program of Node.js, which both have mapped, is in memory
 * once and counts once.
 */
const MEMORY_MIB_MAX = 300;
/** Of the process that parses: its heap of 66 MiB, and Node.js with its program, which counts here too. */
const PARSER_MIB_MAX = 150;
const FILES_AT_ONCE = 2;

const mongo = await testDatabase();
const controlPlane = await startControlPlane(mongo.uri);
t.teardown(async () => {
  await controlPlane.remove();
  await mongo.drop();
});

const importYaml = (body: string, query = '?dry_run=true') =>
  controlPlane.api('POST', `/v1/monitors/import${query}`, body, { 'content-type': 'application/yaml' });

const HOSTILE = hostileYaml();

/** A file of 1 MiB in which nothing is wrong. */
function largeFile(): string {
  let file = 'version: 1\nmonitors:\n';
  for (let index = 0; index < 2_000 && file.length < MIB - 600; index++) {
    const entry = [
      `name: Monitor number ${index}`,
      `url: https://host-${index}.example.com/${'path/'.repeat(20)}`,
      'type: http',
      'interval_seconds: 60',
      `locations:${['fra', 'nyc', 'sin', 'lon', 'sfo'].map((code) => `\n    - ${code}`).join('')}`,
      `http:\n    expected_status: 201\n    keyword: some text ${index}\n    headers:\n      x-a: b\n      accept: '*/*'`,
      `tags:${['production', 'eu', `team-${index % 10}`, 'a', 'b', 'c'].map((tag) => `\n    - ${tag}`).join('')}`,
      `runbook_url: https://runbook.example.com/${index}`,
    ];
    file += `- ${entry.join('\n  ')}\n`;
  }
  return file;
}

t.test('a file of 1 MiB with 2,000 monitors is read within the memory of the thread', async (t) => {
  const file = largeFile();
  t.ok(file.length > MIB - 100_000, `${file.length} bytes`);
  const answer = await importYaml(file);
  t.match(answer, { status: 200, body: { data: { summary: { refused: 0 } } } });
});

t.test('of 30 hostile files at once two are read, and the process stays small', async (t) => {
  const memory = peakMemory(controlPlane.pid);
  const before = await memory.now();
  await memory.resetPeak();
  const children = watchChildren(controlPlane.pid);
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) => importYaml(HOSTILE[index % HOSTILE.length] ?? '')),
  );
  const peak = await memory.peak();
  const parsers = await children.stop();
  t.comment(
    `${before.toFixed(0)} MiB before, ${peak.toFixed(0)} and ${parsers.memoryMib.toFixed(0)} MiB at most, ${parsers.togetherMib.toFixed(0)} MiB together`,
  );
  t.ok(parsers.togetherMib > before && parsers.togetherMib < MEMORY_MIB_MAX, `${parsers.togetherMib.toFixed(0)} MiB`);
  t.equal(parsers.processes, 1, 'one file is parsed at a time');
  t.ok(parsers.memoryMib < PARSER_MIB_MAX, `${parsers.memoryMib.toFixed(0)} MiB to parse`);
  const refused = answers.filter(({ status }) => status === 429);
  t.equal(refused.length, 30 - FILES_AT_ONCE);
  t.ok(refused.every(({ headers }) => Number(headers.get('retry-after')) > 0));
  t.equal(answers.filter(({ status }) => status === 422).length, FILES_AT_ONCE);
  t.equal((await importYaml('version: 1\nmonitors: []\n')).status, 200, 'it is ready for the next file');
});

t.test('no hostile file stops the process or takes more memory than the others', async (t) => {
  for (const file of HOSTILE) {
    const children = watchChildren(controlPlane.pid);
    t.equal((await importYaml(file)).status, 422, file.slice(0, 20));
    const { memoryMib, togetherMib } = await children.stop();
    t.ok(memoryMib > 0 && memoryMib < PARSER_MIB_MAX, `${memoryMib.toFixed(0)} MiB to parse ${file.slice(0, 20)}`);
    t.ok(togetherMib < MEMORY_MIB_MAX, `${togetherMib.toFixed(0)} MiB together`);
  }
});

t.test('one file is parsed while the other waits, and both are answered', async (t) => {
  const readYaml = createYamlReader({ clock: systemClock });
  const [first, second, third] = [1, 2, 3].map((value) => readYaml(Buffer.from(`a: ${value}`)));
  await t.rejects(third ?? Promise.resolve(), { code: 'rate_limited', extra: { headers: { 'Retry-After': '5' } } });
  t.same(await Promise.all([first, second]), [{ a: 1 }, { a: 2 }]);
  t.same(await readYaml(Buffer.from('a: 4')), { a: 4 }, 'a refused file takes no place');
  const bad = readYaml(Buffer.from('a: b: c'));
  const good = readYaml(Buffer.from('a: 5'));
  await t.rejects(bad, { code: 'validation_failed' });
  t.same(await good, { a: 5 }, 'a file that fails does not stop the next one');
  await t.rejects(readYaml(Buffer.from([0x61, 0x3a, 0x20, 0xff])), { message: /not UTF-8/ });
});

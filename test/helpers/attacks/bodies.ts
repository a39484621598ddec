import { BODY_BYTES, filled } from '../http/filled.js';
import { answering, startTarget } from '../probe/targets.js';
import { type AttackPlan, request, type StartAttack } from './attack.js';

/** The largest Content-Type of a head that the probe reads. */
const CONTENT_TYPE_BYTES = 64_000;
const CONTENT_TYPES = [
  '<?xml '.repeat(CONTENT_TYPE_BYTES / 6),
  'charset '.repeat(CONTENT_TYPE_BYTES / 8),
  `charset${' '.repeat(CONTENT_TYPE_BYTES)}`,
];

const MONITOR = '"name":"x","type":"http","url":"https://shop.example.com/"';

/** Invalid bodies of 1 MiB that are wrong in as many places as possible, by path. */
function hostileBodies(): [path: string, body: string][] {
  const monitor = (open: string, part: (index: number) => string, close: string): [string, string] => [
    '/v1/monitors',
    filled(`{${MONITOR},${open}`, part, `${close}}`),
  ];
  const rule = '"name":"x","type":"metric","metric":"load_1","operator":"gt","threshold":1';
  const forwarder = '"target":"https://siem.example.com/","format":"json"';
  return [
    monitor('"channels":[', () => '1', ']'),
    monitor('"channels":[', () => '{}', ']'),
    monitor('"channels":[', () => '"\\u0001"', ']'),
    monitor('"tags":[', () => '1', ']'),
    monitor('"tags":[', () => '""', ']'),
    monitor('"locations":[', (index) => `"l${index}"`, ']'),
    monitor('"http":{"headers":{', (index) => `"h${index}":1`, '}}'),
    monitor('"http":{"headers":{', (index) => `"\\u0007${index}":"\\u0007"`, '}}'),
    monitor('', (index) => `"u${index}":1`, ''),
    monitor('"u":{', (index) => `"u${index}":{"x":[1]}`, '}'),
    ['/v1/monitors', `{${MONITOR},"runbook_url":"${'\\u0001'.repeat(BODY_BYTES / 6 - 40)}"}`],
    ['/v1/monitors', `{${MONITOR},"${'\\u0001'.repeat(BODY_BYTES / 6 - 40)}":"\\u0001"}`],
    ['/v1/alert-rules', filled(`{${rule},"server_ids":[`, () => '1', ']}')],
    ['/v1/alert-rules', filled(`{${rule},"tags":[`, () => '{"a":[]}', ']}')],
    ['/api/v1/audit-logs/forwarders', filled(`{${forwarder},"filter":{"severity":[`, (index) => `${index}`, ']}}')],
    ['/api/v1/audit-logs/forwarders', filled(`{${forwarder},"filter":{`, (index) => `"f${index}":{}`, '}}')],
  ];
}

/** Sends invalid bodies, one after the other, and is the target of checks with the largest Content-Type. */
export const startBodies: StartAttack = async (plan, tally) => {
  const bodies = hostileBodies();
  const targets = await Promise.all(
    CONTENT_TYPES.map((type) => startTarget(answering('x', { headers: { 'content-type': type } }))),
  );
  for (const target of targets) await createMonitor(plan, target.url);
  return {
    async round() {
      for (const [path, body] of bodies) {
        const { status, text } = await request(plan, 'POST', path, body);
        tally.add(`bodies ${status}`);
        tally.largest('largest answer to a body, bytes', Buffer.byteLength(text));
        if (status === 422) tally.largest('largest number of errors', JSON.parse(text).errors.length);
      }
      tally.add(
        'checks of hostile targets',
        targets.reduce((sum, target) => sum + target.requests.splice(0).length, 0),
      );
    },
    end() {
      for (const target of targets) void target.close();
    },
  };
};

async function createMonitor(plan: AttackPlan, url: string): Promise<void> {
  const settings = { name: 'hostile', type: 'http', url, interval_seconds: 10, channels: [], http: { keyword: 'x' } };
  const { status, text } = await request(plan, 'POST', '/v1/monitors', JSON.stringify(settings));
  if (status !== 201) throw new Error(`create answered ${status}: ${text}`);
}

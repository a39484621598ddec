import { MongoClient } from 'mongodb';
import { pino } from 'pino';
import t from 'tap';
import { isDatabaseUnavailable } from '../../../control-plane/storage/unavailable.js';
import { loggedError } from '../../../kernel/logged-error.js';
import { freePort } from '../../helpers/machine/ports.js';

const LINE_BYTES_MAX = 400;

function logged(error: unknown): string {
  const lines: string[] = [];
  const serializers = { err: loggedError(isDatabaseUnavailable) };
  pino({ base: null, serializers }, { write: (line: string) => void lines.push(line) }).warn({ err: error }, 'failed');
  return lines.join('');
}

t.test('while no member of a replica set answers, a line of the log is short', async (t) => {
  const hosts = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`];
  const client = new MongoClient(`mongodb://${hosts.join(',')}/?replicaSet=rs`, { serverSelectionTimeoutMS: 100 });
  t.teardown(() => client.close());
  const error = await client
    .db('picket')
    .command({ ping: 1 })
    .catch((error: unknown) => error);
  const line = logged(error);
  t.ok(line.length < LINE_BYTES_MAX, `it has ${line.length} bytes`);
  t.same(Object.keys(JSON.parse(line).err), ['type', 'message']);
  t.match(JSON.parse(line).err, { type: 'MongoServerSelectionError', message: /127\.0\.0\.1/ });
});

t.test('all other errors have their stack and their fields', async (t) => {
  const error = Object.assign(new Error('a mistake'), { code: 7_001 });
  t.match(JSON.parse(logged(error)).err, { message: 'a mistake', code: 7_001, stack: /logged-error\.test/ });
  t.equal(JSON.parse(logged('no error')).err, 'no error');
});

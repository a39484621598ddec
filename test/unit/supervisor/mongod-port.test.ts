import { createServer } from 'node:net';
import t from 'tap';
import { systemRandom } from '../../../kernel/random.js';
import { chooseMongodPort, ephemeralPorts } from '../../../supervisor/mongod/port.js';
import { freePort } from '../../helpers/machine/ports.js';

const RANGE = { first: 32_768, last: 60_999 };
/** Returns these fractions in turn. */
const fractions = (...values: number[]) => ({ ...systemRandom, fraction: () => values.shift() ?? 0.999 });

async function listenOn(port: number): Promise<() => void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  return () => server.close();
}

t.test('the last port is kept while it is free', async (t) => {
  const last = await freePort();
  t.equal(await chooseMongodPort(last, RANGE, systemRandom), last);
  const close = await listenOn(last);
  t.teardown(close);
  t.not(await chooseMongodPort(last, RANGE, systemRandom), last, 'another program has it now');
});

t.test('no connection of the system can take the port while mongod restarts', async (t) => {
  const { first, last } = await ephemeralPorts();
  t.ok(first < last, 'the range of this system');
  const ports = await Promise.all(Array.from({ length: 50 }, () => chooseMongodPort(0, { first, last }, systemRandom)));
  t.same(
    ports.filter((port) => port >= first && port <= last),
    [],
  );
  t.not(
    await chooseMongodPort(50_000, RANGE, systemRandom),
    50_000,
    'an ephemeral port of an earlier version is not kept',
  );
});

t.test('a port that is taken is not chosen', async (t) => {
  const taken = await freePort();
  const close = await listenOn(taken);
  t.teardown(close);
  const fractionOf = (port: number) => (port - 10_000 + 0.5) / (RANGE.first - 10_000);
  const next = await freePort();
  t.equal(await chooseMongodPort(0, RANGE, fractions(fractionOf(taken), fractionOf(next))), next);
});

t.test('where every port is ephemeral, the system chooses', async (t) => {
  t.ok((await chooseMongodPort(0, { first: 1_024, last: 65_535 }, systemRandom)) > 0);
});

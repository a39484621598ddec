import { QueryClient, QueryObserver, type QueryObserverOptions } from '@tanstack/react-query';
import t from 'tap';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';
import { createGate } from '../../../helpers/gate.js';

Object.defineProperty(globalThis, 'navigator', { value: { languages: ['en-GB'] } });
Object.defineProperty(globalThis, 'document', { value: { baseURI: 'https://picket.example/' } });

interface Change {
  id: string;
  state: string;
}

const APPLIED = {
  ...{ id: 'job_1', state: 'applied', operation: 'add', total: 61, done: 61, skipped: 0, kept: 0, without_channels: 0 },
  ...{ names: ['Shop'], retry_at: null, undo_until: null },
};

t.test('an undo is followed to its end, also when an earlier reading has not been answered yet', async (t) => {
  const { whenEnded } = await browserModule<{ whenEnded(queries: QueryClient, started: Change): Promise<Change> }>(
    'parts/monitors/bulk/job/when-ended.ts',
  );
  const { changeQuery } = await browserModule<{ changeQuery(id: string): QueryObserverOptions<Change> }>(
    'parts/monitors/bulk/job/queries.ts',
  );
  const { fetch } = globalThis;
  t.teardown(() => Object.assign(globalThis, { fetch }));
  const early = createGate();
  const answers = [
    early.pass().then(() => APPLIED),
    Promise.resolve({ ...APPLIED, state: 'undoing' }),
    Promise.resolve({ ...APPLIED, state: 'undone' }),
  ];
  Object.assign(globalThis, {
    fetch: async () => Response.json({ data: await (answers.length > 1 ? answers.shift() : answers[0]) }),
  });
  const client = new QueryClient();
  client.setQueryData(['monitor-bulk', 'job_1'], APPLIED);
  const observer = new QueryObserver(client, changeQuery('job_1'));
  // It reads at once, and gets the answer that waits.
  t.teardown(observer.subscribe(() => {}));
  const followed = whenEnded(client, { ...APPLIED, state: 'undoing' });
  // After the first poll has begun, which would share that reading.
  const opening = setTimeout(early.open, 1_000);
  t.teardown(() => clearTimeout(opening));
  t.equal((await followed).state, 'undone');
  t.equal(client.getQueryData<Change>(['monitor-bulk', 'job_1'])?.state, 'undone', 'the page says so');
});

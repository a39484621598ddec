import t from 'tap';
import { createMailConnections, type MailUse } from '../../../control-plane/notifications/channels/mail-connections.js';

/** Returns connections whose uses are recorded in the order in which they get one. */
function recorded(count: number) {
  const connections = createMailConnections(count);
  const begun: string[] = [];
  const uses = new Map<string, MailUse>();
  return {
    begun,
    async want(name: string, workspaceId: string, isTest = false, signal = new AbortController().signal) {
      const use = { workspaceId, isTest };
      uses.set(name, use);
      void connections.acquire(use, signal).then((admitted) => admitted && begun.push(name));
      await settled();
    },
    async end(name: string) {
      const use = uses.get(name);
      if (use !== undefined) connections.release(use);
      await settled();
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

t.test('tests of any number of workspaces leave connections to alerts', async (t) => {
  const { begun, want } = recorded(5);
  for (let index = 0; index < 50; index += 1) await want(`test ${index}`, `ws_${index}`, true);
  t.same(begun, ['test 0', 'test 1']);
  await want('alert', 'ws_victim');
  t.equal(begun.at(-1), 'alert', 'it waits for none of them');
});

t.test('an alert goes before tests that wait for longer', async (t) => {
  const { begun, want, end } = recorded(2);
  await want('one', 'ws_a');
  await want('two', 'ws_b');
  await want('test', 'ws_b', true);
  await want('alert', 'ws_a');
  await end('one');
  t.same(begun, ['one', 'two', 'alert']);
  await end('two');
  t.same(begun, ['one', 'two', 'alert', 'test']);
});

t.test('the next mail is of the workspace that has the fewest connections', async (t) => {
  const { begun, want, end } = recorded(3);
  for (let index = 0; index < 30; index += 1) await want(`loud ${index}`, 'ws_loud');
  for (const name of ['third', 'quiet']) await want(name, `ws_${name}`);
  await end('loud 0');
  t.same(begun, ['loud 0', 'loud 1', 'third', 'quiet'], 'although 28 mails have waited for longer');
});

t.test('one workspace may have all connections but one', async (t) => {
  const { begun, want } = recorded(5);
  for (let index = 0; index < 6; index += 1) await want(`mail ${index}`, 'ws_a');
  t.equal(begun.length, 4);
  await want('other', 'ws_b');
  t.equal(begun.at(-1), 'other', 'an alert of another workspace waits for none of them');
});

t.test('a mail whose time is up gives its turn to the next', async (t) => {
  const { begun, want, end } = recorded(1);
  const impatient = new AbortController();
  await want('first', 'ws_a');
  await want('impatient', 'ws_a', false, impatient.signal);
  await want('last', 'ws_a');
  impatient.abort();
  await want('late', 'ws_a', false, impatient.signal);
  await end('first');
  t.same(begun, ['first', 'last']);
});

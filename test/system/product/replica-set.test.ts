import t from 'tap';
import { startReplicaSet } from '../../helpers/machine/replica-set.js';
import { startProduct } from '../../helpers/processes/product.js';
import { waitFor } from '../../helpers/wait.js';

t.test('a standard connection string of three members works, and survives the loss of the primary', async (t) => {
  const set = await startReplicaSet(3);
  t.teardown(() => set.remove());
  const product = await startProduct({ PICKET_MONGODB_URI: set.uri('picket'), PICKET_LOCATIONS: '' });
  t.teardown(() => product.remove());
  const create = (name: string) =>
    product.api(
      'POST',
      '/v1/monitors',
      { name, type: 'tcp', url: '127.0.0.1:9', interval_seconds: 3600 },
      { 'idempotency-key': name },
    );
  const before = await create('before');
  t.equal(before.status, 201);
  const lost = await set.primary();
  set.signal(lost, 'SIGKILL');
  const after = await waitFor('a write on the new primary', 120_000, async () => {
    const created = await create('after');
    return created.status === 201 && created.body.data;
  });
  t.not(await set.primary(), lost);
  const list = await product.api('GET', '/v1/monitors');
  t.same(
    list.body.data.map(({ id }: { id: string }) => id),
    [after.id, before.body.data.id],
    'nothing is lost or doubled',
  );
});

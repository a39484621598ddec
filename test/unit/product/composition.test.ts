import t from 'tap';
import { composition } from '../../../control-plane/composition.js';
import { type Access, readRoute } from '../../../control-plane/http/route.js';
import type { OpenedSlice, Slice } from '../../../control-plane/slice.js';

interface Base {
  log: string[];
}

function slice<Name extends string>(name: Name, declarations: Partial<Slice<Name, Base, OpenedSlice>> = {}) {
  const opened: Slice<Name, Base, OpenedSlice & { is: Name }> = {
    ...declarations,
    name,
    open({ log }) {
      log.push(`open ${name}`);
      return {
        is: name,
        async ensureIndexes() {
          log.push(`indexes ${name}`);
        },
        async ready() {
          log.push(`ready ${name}`);
        },
        jobs: [{ start: () => void log.push(`start ${name}`), stop: () => void log.push(`stop ${name}`) }],
      };
    },
  };
  return opened;
}

t.test('slices open and start in their order and stop in the reverse order', async (t) => {
  const log: string[] = [];
  const product = await composition<Base>()
    .add(slice('first'), ({ log }) => ({ log }))
    .add(slice('second'), ({ log, first }) => {
      log.push(`second gets ${first.is}`);
      return { log };
    })
    .open({ log });
  await product.ready();
  await product.start();
  await product.stop();
  t.same(log, [
    ...['open first', 'second gets first', 'open second', 'indexes first', 'indexes second'],
    ...['ready first', 'ready second', 'start first', 'start second', 'stop second', 'stop first'],
  ]);
  t.equal(product.slices.second.is, 'second');
});

t.test('every slice sees what all slices declare, also those after it', async (t) => {
  const seen: unknown[] = [];
  await composition<Base>()
    .add(slice('first', { scopes: ['a:read'], idPrefixes: ['a'] }), ({ log, declared }) => {
      seen.push(declared.scopes, declared.idPrefixes);
      return { log };
    })
    .add(slice('second', { scopes: ['b:read', 'b:write'], idPrefixes: ['b'] }), ({ log }) => ({ log }))
    .open({ log: [] });
  t.same(seen, [
    ['a:read', 'b:read', 'b:write'],
    ['a', 'b'],
  ]);
});

t.test('what two slices declare alike is refused before anything opens', async (t) => {
  const twice = (declarations: Partial<Slice<string, Base, OpenedSlice>>) =>
    composition<Base>()
      .add(slice('first', declarations), ({ log }) => ({ log }))
      .add(slice('second', declarations), ({ log }) => ({ log }));
  t.throws(() => twice({ scopes: ['a:read'] }).declared(), /two slices declare the scope a:read/);
  t.throws(() => twice({ idPrefixes: ['a'] }).declared(), /two slices declare the id prefix a/);
  t.throws(() => twice({ auditActions: ['a.b'] }).declared(), /two slices declare the audit action a.b/);
  const log: string[] = [];
  await t.rejects(twice({ scopes: ['a:read'] }).open({ log }), /two slices declare/);
  t.same(log, []);
  const same = composition<Base>()
    .add(slice('first'), ({ log }) => ({ log }))
    .add(slice('first'), ({ log }) => ({ log }));
  t.throws(() => same.declared(), /two slices declare the slice first/);
});

t.test('a route with a scope that no slice declares is refused', async (t) => {
  const withRoute = (access: Access): Slice<'routes', Base, OpenedSlice> => ({
    name: 'routes',
    scopes: ['things:read'],
    open: () => ({
      routes: [
        readRoute({
          ...{ method: 'GET', path: '/v1/things', access, tag: 'Things', summary: 'List things' },
          replies: { 204: null },
          handle: async () => ({ status: 204 }),
        }),
      ],
    }),
  });
  const open = (access: Access) =>
    composition<Base>()
      .add(withRoute(access), ({ log }) => ({ log }))
      .open({ log: [] });
  await t.rejects(open('thing:read'), /no slice declares the scope thing:read of GET \/v1\/things/);
  for (const access of ['things:read', 'any', 'full', 'operator', 'public'] as const) await t.resolves(open(access));
});

t.test('a slice with the name of something in the base is refused', async (t) => {
  const clash = composition<Base>().add(slice('log'), ({ log }) => ({ log: [...log] }));
  await t.rejects(clash.open({ log: [] }), /the slice log has the name of something in the base/);
});

t.test('a job that fails to stop does not keep the others running', async (t) => {
  const log: string[] = [];
  const failing: Slice<'failing', Base, OpenedSlice> = {
    name: 'failing',
    open: () => ({ jobs: [{ start: () => undefined, stop: () => Promise.reject(new Error('no database')) }] }),
  };
  const product = await composition<Base>()
    .add(slice('first'), ({ log }) => ({ log }))
    .add(failing, ({ log }) => ({ log }))
    .open({ log });
  await product.start();
  await t.rejects(product.stop(), /no database/);
  t.match(log.at(-1), 'stop first');

  const two = await composition<Base>()
    .add(failing, ({ log }) => ({ log }))
    .add({ ...failing, name: 'other' }, ({ log }) => ({ log }))
    .open({ log });
  await t.rejects(two.stop(), { message: '2 jobs failed to stop', errors: { length: 2 } });
});

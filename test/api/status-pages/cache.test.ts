import t from 'tap';
import type { PageSources } from '../../../control-plane/status-pages/facts/facts.js';
import { createCompileNow, createPublicPages } from '../../../control-plane/status-pages/serve/pages.js';
import { createStatusPageStore } from '../../../control-plane/status-pages/store.js';
import { createPageIncidentStore } from '../../../control-plane/status-pages/updates/store.js';
import { createLogger } from '../../../kernel/logger.js';
import { startStatusPages } from '../../helpers/status-pages/app.js';

const pages = await startStatusPages();
t.teardown(pages.stop);

type Needs = Parameters<typeof createCompileNow>[0] & Pick<Parameters<typeof createPublicPages>[0], 'store'>;
const publicPages = (needs: Needs) => createPublicPages({ ...needs, compileNow: createCompileNow(needs) });

const NOTHING: PageSources = {
  monitors: async () => [],
  servers: async () => [],
  hours: async () => [],
  incidents: async () => [],
  voidVotes: () => new Set(),
  planned: () => [],
  isCovered: () => false,
  isStopped: async () => false,
};

t.test('addresses without a page displace no page, and are bounded', async (t) => {
  const { db } = pages.mongo;
  await pages.created({ slug: 'kept', title: 'Kept' });
  const store = createStatusPageStore(db);
  const reads = new Map<string, number>();
  const readsOf = (slug: string) => reads.get(slug) ?? 0;
  const found = publicPages({
    store: {
      findBySlug(slug) {
        reads.set(slug, readsOf(slug) + 1);
        return store.findBySlug(slug);
      },
    },
    incidents: createPageIncidentStore(db),
    sources: NOTHING,
    percentUp: () => null,
    clock: pages.clock,
    logger: createLogger({ name: 'test', level: 'silent' }),
  });
  const kept = await found.find('kept');
  t.equal(kept?.model.title, 'Kept');
  await found.find('missing-0');
  for (let index = 1; index <= 1_100; index++) await found.find(`missing-${index}`);
  t.equal((await found.find('kept'))?.model, kept?.model, 'it stays compiled');
  t.equal(readsOf('kept'), 2, 'before and after it was compiled');
  await found.find('missing-1100');
  t.equal(readsOf('missing-1100'), 1, 'the newest of those without a page are remembered');
  await found.find('missing-0');
  t.equal(readsOf('missing-0'), 2, 'the oldest are not');
  await found.find('missing-101');
  t.equal(readsOf('missing-101'), 2, 'there are 1,000 of them');
  await found.find('missing-110');
  t.equal(readsOf('missing-110'), 1);
});

t.test('of the pages of a workspace, four are compiled at the same time', async (t) => {
  const { db } = pages.mongo;
  const slugs = Array.from({ length: 9 }, (_, index) => `at-once-${index}`);
  for (const slug of slugs) await pages.created({ slug, title: slug });
  let [running, most] = [0, 0];
  let isFull: () => void = () => undefined;
  const full = new Promise<void>((resolve) => {
    isFull = resolve;
  });
  const found = publicPages({
    store: createStatusPageStore(db),
    incidents: createPageIncidentStore(db),
    sources: {
      ...NOTHING,
      async monitors() {
        running += 1;
        most = Math.max(most, running);
        if (running === 4) isFull();
        await full;
        // Those that may not run yet would begin meanwhile.
        await db.command({ ping: 1 });
        running -= 1;
        return [];
      },
    },
    percentUp: () => null,
    clock: pages.clock,
    logger: createLogger({ name: 'test', level: 'silent' }),
  });
  const compiled = await Promise.all(slugs.map((slug) => found.find(slug)));
  t.same(
    compiled.map((page) => page?.model.title),
    slugs,
  );
  t.equal(most, 4);
});

t.test('a page that becomes private while it is compiled is not public', async (t) => {
  const { db } = pages.mongo;
  const { id } = await pages.created({ slug: 'private-soon', title: 'x' });
  const store = createStatusPageStore(db);
  const found = publicPages({
    store,
    incidents: createPageIncidentStore(db),
    sources: {
      ...NOTHING,
      async monitors() {
        await pages.app.request('PATCH', `/v1/status-pages/${id}`, { body: { visibility: 'members' } });
        return [];
      },
    },
    percentUp: () => null,
    clock: pages.clock,
    logger: createLogger({ name: 'test', level: 'silent' }),
  });
  t.equal((await found.find('private-soon'))?.guard.visibility, 'members');
});

import t from 'tap';
import { createJobStore } from '../../../control-plane/wordpress/jobs/store.js';
import { createReadSites, scoreOfSites } from '../../../control-plane/wordpress/report-facts.js';
import { createSiteStore } from '../../../control-plane/wordpress/store.js';
import { buildWorkspace } from '../../helpers/factories.js';
import { connectPlugin, startWordpressApp } from '../../helpers/wordpress/app.js';
import { PATH } from '../../helpers/wordpress/plane.js';

interface Center {
  summary: { sites: number; passing: number; failing: number; unknown: number; score: number };
  sites: { id: string; status: string; score: number | null }[];
}

t.test('a report has the figures of the hardening centre, of the sites that were connected', async (t) => {
  const app = await startWordpressApp();
  t.teardown(() => app.stop());
  const { db } = app.parts.mongo;
  const read = createReadSites({ sites: createSiteStore(db), siteJobs: createJobStore(db) });
  const says = (ids: Record<string, string>) =>
    Object.entries(ids).map(([id, status]) => ({ id, status, evidence: status, applied: false }));
  const first = await connectPlugin(app, 'http://127.0.0.1:8081');
  await first.poll({ checks: says({ xmlrpc: 'passing', 'hide-version': 'passing', 'debug-mode': 'failing' }) });
  const second = await connectPlugin(app, 'http://127.0.0.1:8082');
  await second.poll({ checks: says({ xmlrpc: 'failing' }) });
  const waiting = await app.request('POST', `${PATH}/sites`, { body: { name: 'New', url: 'http://127.0.0.1:8083' } });
  t.equal(waiting.status, 201);
  const nowMs = app.parts.clock.now();
  const sites = await read(app.workspace.id, { fromMs: 0, toMs: nowMs, nowMs }, 10);
  const { summary, sites: shown } = (await app.request<Center>('GET', `${PATH}/hardening-center`)).body.data;
  t.match(summary, { sites: 2, passing: 2, failing: 2, unknown: 16, score: 10 });
  t.equal(scoreOfSites(sites), summary.score);
  t.strictSame(
    sites.map(({ id, score }) => ({ id, score })),
    shown.filter(({ status }) => status !== 'waiting').map(({ id, score }) => ({ id, score })),
  );
  t.match(sites, [
    { improve: ['XML-RPC disabled'] },
    { passing: 2, failing: 1, unknown: 7, improve: ['Debug mode off'] },
  ]);
  const { id: other } = await buildWorkspace(app.parts.mongo);
  t.strictSame(await read(other, { fromMs: 0, toMs: nowMs, nowMs }, 10), []);
  t.equal(scoreOfSites([]), null);
});

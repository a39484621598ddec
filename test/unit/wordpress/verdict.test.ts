import t from 'tap';
import type { JobDocument, Reading } from '../../../control-plane/wordpress/documents.js';
import { jobAfter, verdictOf } from '../../../control-plane/wordpress/jobs/states.js';

const APPLIED_MS = 1_000_000;
const SETTLED_MS = APPLIED_MS + 10_000;

const job = (more: Partial<JobDocument> = {}): JobDocument => ({
  ...{ _id: 'job_1', workspace_id: 'workspace_1', site_id: 'site_1', check: 'file-editor', kind: 'undo' },
  ...{ status: 'applied', open: true, error: null, created_at_ms: 0, delivered_at_ms: 0, applied_at_ms: APPLIED_MS },
  ...{ ended_at_ms: null, expires_at_ms: 2 * APPLIED_MS, before_plugins: true, ...more },
});
const reading = (status: Reading['status'], atMs: number): Reading => ({
  status,
  evidence: 'it says 500',
  at_ms: atMs,
});

t.test('an undo before plugins and theme is verified by a home page that answers', async (t) => {
  const verdict = (home: Reading | null, more: { applied?: boolean; job?: Partial<JobDocument> } = {}) =>
    verdictOf(
      job(more.job),
      { inside: reading('unknown', APPLIED_MS), outside: null, applied: more.applied ?? false, home },
      false,
    );
  t.equal(verdict(null), null, 'not seen');
  t.equal(verdict(reading('passing', APPLIED_MS - 1)), null, 'seen before');
  t.same(verdict(reading('passing', APPLIED_MS)), { type: 'verified' });
  t.equal(verdict(reading('failing', SETTLED_MS - 1)), null, 'PHP may still use what it has compiled');
  t.match(verdict(reading('failing', SETTLED_MS)), {
    type: 'contradicted',
    error: 'The fix was undone, but something else breaks the site: it says 500',
  });
  t.equal(verdict(reading('unknown', SETTLED_MS)), null, 'no answer says nothing');
  t.match(verdict(reading('passing', SETTLED_MS), { applied: true }), { error: /on the site again/ });
  t.same(verdict(null, { job: { before_plugins: false } }), { type: 'verified' }, 'another one was tested by the site');
});

t.test('an expired job says whether the site has done it', async (t) => {
  t.match(jobAfter(job(), { type: 'expired' }, SETTLED_MS), { error: /did the job, but/ });
  const waiting = job({ status: 'queued', applied_at_ms: null });
  t.match(jobAfter(waiting, { type: 'expired' }, SETTLED_MS), { error: 'The site did not finish the job in time.' });
});

import t from 'tap';
import { browserModule } from '../../helpers/dashboard/browser-module.js';

interface Attempt {
  at: string;
  status: 'sent' | 'failed' | 'skipped';
}

interface Judged {
  enabled: boolean;
  last_delivery: Attempt | null;
  last_test: Attempt | null;
  updated_at: string;
}
const { reachesNobody, workingOf } = await browserModule<{
  reachesNobody(channels: readonly Judged[]): boolean;
  workingOf(channel: Judged): string;
}>('parts/channels/works.ts');

const at = (minute: number) => `2026-01-24T03:${String(minute).padStart(2, '0')}:00.000Z`;
const attempt = (minute: number, status: Attempt['status']): Attempt => ({ at: at(minute), status });
const channel = (set: Partial<Judged> = {}): Judged => ({
  ...{ enabled: true, last_delivery: null, last_test: null, updated_at: at(0), ...set },
});

t.test('the newest message tells whether a channel works', async (t) => {
  t.equal(workingOf(channel()), 'unknown');
  t.equal(workingOf(channel({ last_test: attempt(1, 'sent') })), 'works');
  t.equal(workingOf(channel({ last_test: attempt(1, 'skipped') })), 'failed');
  t.equal(workingOf(channel({ last_test: attempt(1, 'sent'), last_delivery: attempt(2, 'failed') })), 'failed');
  t.equal(workingOf(channel({ last_test: attempt(3, 'sent'), last_delivery: attempt(2, 'failed') })), 'works');
  t.equal(workingOf(channel({ last_test: attempt(1, 'failed'), updated_at: at(2) })), 'unknown', 'it was corrected');
  t.equal(workingOf(channel({ enabled: false, last_test: attempt(1, 'sent') })), 'off');
});

t.test('nobody is reached without a channel, or when all are off or failed', async (t) => {
  t.equal(reachesNobody([]), true);
  t.equal(reachesNobody([channel({ last_test: attempt(1, 'failed') }), channel({ enabled: false })]), true);
  t.equal(reachesNobody([channel({ last_test: attempt(1, 'failed') }), channel()]), false);
});

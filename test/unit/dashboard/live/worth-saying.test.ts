import t from 'tap';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';

type State = 'connecting' | 'live' | 'polled' | 'catching_up' | 'lost';

const { isWorthSaying } = await browserModule<{
  isWorthSaying(liveness: { state: State; since: string | null }, lastsMs: number, nowMs: number): boolean;
}>('app/live/worth-saying.ts');

const NOW = Date.UTC(2026, 0, 31, 12, 0, 0);
const at = (agoMs: number) => new Date(NOW - agoMs).toISOString();

t.test('that a page loads is no news, unless it takes long or what is shown is old', async (t) => {
  t.notOk(isWorthSaying({ state: 'connecting', since: null }, 100, NOW), 'the first moment');
  t.notOk(isWorthSaying({ state: 'catching_up', since: at(800) }, 100, NOW), 'what was just loaded');
  t.ok(isWorthSaying({ state: 'connecting', since: null }, 3_000, NOW), 'it takes long');
  t.ok(isWorthSaying({ state: 'catching_up', since: at(3_500) }, 3_000, NOW), 'it takes long');
  t.ok(isWorthSaying({ state: 'catching_up', since: at(10_000) }, 10, NOW), 'old data are never shown as fresh');
  t.ok(isWorthSaying({ state: 'lost', since: at(0) }, 0, NOW), 'a lost connection is said at once');
  t.ok(isWorthSaying({ state: 'live', since: at(0) }, 0, NOW));
  t.ok(isWorthSaying({ state: 'polled', since: at(0) }, 0, NOW), 'what is not live is said at once');
});

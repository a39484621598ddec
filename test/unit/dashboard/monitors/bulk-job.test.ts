import t from 'tap';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';

Object.defineProperty(globalThis, 'navigator', { value: { languages: ['en'] } });

interface InTurn {
  inTurn<Answer>(request: () => Promise<Answer>, turn: object): Promise<Answer>;
}

interface Outcome {
  outcomeOf(change: object): string;
  leftOutOf(change: object): string[];
}

const CHANGE = {
  ...{
    state: 'applied',
    operation: 'set',
    total: 12,
    done: 12,
    skipped: 0,
    kept: 0,
    without_channels: 0,
    names: ['Shop', 'Mail', 'DNS'],
  },
  retry_at: null,
};

t.test('a change waits for the one that is applied, and for nothing else', async (t) => {
  const { inTurn } = await browserModule<InTurn>('parts/monitors/bulk/job/in-turn.ts');
  const refusal = (status: number, retryAfterS: number | null) => Object.assign(new Error(), { status, retryAfterS });
  const waits: number[] = [];
  let nowMs = 0;
  const attempt = (answers: readonly unknown[]) => {
    const left = [...answers];
    nowMs = 0;
    waits.length = 0;
    const request = async () => {
      const answer = left.length > 1 ? left.shift() : left[0];
      if (answer instanceof Error) throw answer;
      return answer;
    };
    const sleep = async (ms: number) => {
      waits.push(ms);
      nowMs += ms;
    };
    return inTurn(request, { waits: () => {}, nowMs: () => nowMs, sleep });
  };
  t.equal(await attempt([refusal(409, 2), refusal(409, 3), 'done']), 'done');
  t.same(waits, [2_000, 3_000]);
  const failure = (answers: readonly unknown[]) => attempt(answers).catch(({ status }: { status: number }) => status);
  t.equal(await failure([refusal(409, null)]), 409, 'other conflicts stay');
  t.equal(await failure([refusal(503, 5)]), 503);
  t.equal(await failure([refusal(429, 80_000)]), 429, 'a limit of a day');
  t.same(waits, []);
  t.equal(await attempt([refusal(429, 2), 'done']), 'done', 'a busy control plane');
  t.same(waits, [2_000]);
  t.equal(await failure([refusal(409, 2)]), 409, 'it does not wait for ever');
  t.ok(nowMs >= 300_000);
});

t.test('what has become of a change is said without contradictions', async (t) => {
  const { outcomeOf, leftOutOf } = await browserModule<Outcome>('parts/monitors/bulk/job/outcome.ts');
  const said = (change: object) => [outcomeOf({ ...CHANGE, ...change }), ...leftOutOf({ ...CHANGE, ...change })];
  t.same(said({}), ['12 monitors changed.']);
  t.same(said({ state: 'applying', done: 3 }), ['3 of 12 monitors done.']);
  t.match(said({ state: 'applying', done: 3, retry_at: '2026-01-31T12:00:00.000Z' })[1], /Picket tries again/);
  t.same(said({ state: 'undoing', done: 3 }), ['Undoing: 3 of 12 monitors done.']);
  t.same(said({ skipped: 12 }).slice(0, 1), ['No monitor was changed.'], 'and not "0 monitors changed"');
  t.match(said({ skipped: 2 }), ['10 monitors changed.', /^2 monitors were left out/]);
  t.same(said({ state: 'undone' }), ['Undone: 12 monitors are as they were.']);
  t.match(said({ state: 'undone', skipped: 2, kept: 1 }), [
    'Undone: 9 monitors are as they were.',
    /^2 monitors were left out/,
    '1 monitor was not restored.',
  ]);
  t.match(said({ state: 'undone', kept: 12 }), [/no monitor had to be restored/, '12 monitors were not restored.']);
  const deleted = { operation: 'delete', total: 1, names: ['Shop'] };
  t.same(said(deleted), ['Shop deleted.'], 'one monitor has a name');
  t.same(said({ ...deleted, state: 'undone', without_channels: 1 }), [
    'Shop is back without channels that were deleted in the meantime.',
  ]);
  t.same(said({ state: 'undone', without_channels: 2 }), [
    'Undone: 10 monitors are as they were.',
    '2 monitors are back without channels that were deleted in the meantime.',
  ]);
  t.same(said({ operation: 'delete', total: 1, names: [] }), ['1 monitor deleted.'], 'before names were kept');
});

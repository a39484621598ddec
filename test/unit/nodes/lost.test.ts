import t from 'tap';
import {
  type AgedControlPlane,
  type AgedHolder,
  isLost,
  receivedUntilMs,
} from '../../../control-plane/nodes/presence/lost.js';

const NOW_MS = 1_700_000_000_000;

function plane(_id: string, over: Partial<AgedControlPlane> = {}): AgedControlPlane {
  const { age_ms = 500 } = over;
  return { _id, stopped: false, age_ms, waits_ms: -1, received_until_ms: null, seen_at_ms: NOW_MS - age_ms, ...over };
}

const holder = (control_plane: string, over: Partial<AgedHolder> = {}): AgedHolder => ({
  ...{ control_plane, connected: true, claimed_ms: 3_600_000, renewed_ms: 4_000 },
  ...over,
});

const starting = { waits_ms: 40_000 };

for (const [what, expected, ...of] of [
  ['without control planes', false, holder('a'), []],
  ['of a control plane that receives', true, holder('a'), [plane('a')]],
  ['of a control plane that has just started', false, holder('a'), [plane('a', starting), plane('b')]],
  ['of one whose last heartbeat is late', false, holder('a'), [plane('a', { age_ms: 3_001 }), plane('b')]],
  ['of one that failed a minute ago', true, holder('a'), [plane('b'), plane('a', { age_ms: 60_000 })]],
  ['and no other receives', false, holder('a'), [plane('b', starting), plane('a', { age_ms: 600_000 })]],
  ['of one that was stopped', false, holder('a'), [plane('b'), plane('a', { stopped: true })]],
  ['of one that nobody remembers', true, holder('a', { renewed_ms: 60_000 }), [plane('b')]],
  ['of one of an earlier version, which has no heartbeat', false, holder('a', { renewed_ms: 59_999 }), [plane('b')]],
  ['that never connected', true, null, [plane('b')]],
  ['that has just connected', false, holder('a', { claimed_ms: 9_999 }), [plane('a')]],
  ['that connected and left', true, holder('a', { claimed_ms: 9_999, connected: false }), [plane('a')]],
  ['whose stream is of an earlier version', true, holder('a', { claimed_ms: null }), [plane('a')]],
  [
    'of one that failed, and one has just started',
    false,
    holder('a'),
    [plane('b'), plane('c', starting), plane('a', { age_ms: 149_999 })],
  ],
  [
    'of one that failed long ago, and one has just started',
    true,
    holder('a'),
    [plane('b'), plane('c', starting), plane('a', { age_ms: 150_000 })],
  ],
] as const) {
  t.equal(isLost(40_000, of[0], of[1]), expected, `the silence of an agent ${what}`);
}
t.equal(isLost(180_000, holder('a', { claimed_ms: 0 }), [plane('a')]), true, 'an agent that only reconnects');

t.equal(receivedUntilMs([], NOW_MS), null, 'not known');
t.equal(receivedUntilMs([plane('a', starting)], NOW_MS), null, 'the first start');
t.equal(receivedUntilMs([plane('a', starting), plane('b')], NOW_MS), NOW_MS, 'one of them receives');
t.equal(
  receivedUntilMs([plane('b', starting), plane('a', { age_ms: 90_000 }), plane('c', { age_ms: 600_000 })], NOW_MS),
  NOW_MS - 90_000,
  'the last heartbeat of the previous process',
);
t.equal(
  receivedUntilMs([plane('a', { ...starting, received_until_ms: NOW_MS - 20_000 })], NOW_MS),
  NOW_MS - 20_000,
  'before the pause',
);

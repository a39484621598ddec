import t from 'tap';
import { createLinkMachine, type LinkState } from '../../../node-link/link-state.js';
import { testClock } from '../../helpers/clock.js';

type LinkEvent = Parameters<ReturnType<typeof createLinkMachine>['transition']>[0];

/** The events that lead to each state. */
const PATHS: Record<LinkState, LinkEvent[]> = {
  stopped: [],
  connecting: ['start'],
  welcomed: ['start', 'welcome'],
  draining: ['start', 'welcome', 'drain'],
  waiting: ['start', 'lost'],
  refused: ['start', 'refused'],
};

/** Returns the state after `event`; null when the event is ignored. */
function nextState(state: LinkState, event: LinkEvent): LinkState | null {
  const machine = createLinkMachine(testClock());
  for (const step of PATHS[state]) machine.transition(step);
  if (machine.state() !== state) throw new Error(`the events lead to ${machine.state()}, not ${state}`);
  const before = machine.state();
  if (machine.transition(event)) return machine.state();
  if (machine.state() !== before) throw new Error('an ignored event has changed the state');
  return null;
}

t.test('a link changes its state only as its table allows; late events are ignored', async (t) => {
  t.equal(nextState('stopped', 'start'), 'connecting');
  t.equal(nextState('connecting', 'welcome'), 'welcomed');
  t.equal(nextState('welcomed', 'drain'), 'draining');
  t.equal(nextState('draining', 'welcome'), 'welcomed');
  t.equal(nextState('draining', 'lost'), 'waiting');
  t.equal(nextState('waiting', 'retry'), 'connecting');
  t.equal(nextState('connecting', 'refused'), 'refused');
  t.equal(nextState('refused', 'retry'), 'connecting');
  for (const state of ['connecting', 'welcomed', 'draining', 'waiting', 'refused'] as const) {
    t.equal(nextState(state, 'stop'), 'stopped');
  }
  t.equal(nextState('stopped', 'welcome'), null, 'a welcome after the stop');
  t.equal(nextState('waiting', 'lost'), null, 'the second of two streams that were lost together');
  t.equal(nextState('welcomed', 'retry'), null);
});

t.test('the timer of a link is cancelled when its state changes', async (t) => {
  const clock = testClock();
  const machine = createLinkMachine(clock);
  machine.transition('start');
  machine.transition('lost');
  machine.after(1_000, () => t.fail('the timer was cancelled'));
  machine.transition('stop');
  await clock.advance(2_000);
  t.equal(machine.state(), 'stopped');
});

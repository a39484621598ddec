import t from 'tap';
import { createChannelPaces } from '../../../control-plane/notifications/delivery/queues/channel-paces.js';
import {
  nextToServe,
  type Pace,
  PLACE_LIMITS,
  type Place,
  paceOf,
} from '../../../control-plane/notifications/delivery/queues/places.js';

const places = (workspaceId: string, pace: Pace, number = 1): Place[] =>
  Array.from({ length: number }, () => ({ workspaceId, pace }));
const mayBegin = (one: Place, served: Place[]) => nextToServe([one], served, PLACE_LIMITS) === one;
const [prompt, unknown, slow] = [...places('w', 'prompt'), ...places('w', 'unknown'), ...places('w', 'slow')] as [
  Place,
  Place,
  Place,
];
/** Channels of many workspaces, one of each. */
const ofMany = (pace: Pace, number: number) =>
  Array.from({ length: number }, (_, index): Place => ({ workspaceId: `other_${index}`, pace }));

t.test('while most places are free, channels of a workspace that hang delay none of its others', async (t) => {
  const { crowded } = PLACE_LIMITS;
  t.ok(crowded <= PLACE_LIMITS.slow && crowded <= PLACE_LIMITS.all / 4);
  for (const one of [prompt, unknown, slow]) {
    t.ok(mayBegin(one, places('w', 'slow', crowded - 1)), one.pace);
    t.notOk(mayBegin(one, places('w', 'slow', crowded)), one.pace);
  }
});

t.test('a workspace has a small part of the places when many are taken, whatever its channels do', async (t) => {
  t.ok(PLACE_LIMITS.workspace * 10 < PLACE_LIMITS.all);
  const { workspace, workspaceSlow, crowded } = PLACE_LIMITS;
  const others = ofMany('prompt', crowded);
  const mayBegin = (one: Place, served: Place[]) => nextToServe([one], [...others, ...served], PLACE_LIMITS) === one;
  t.ok(mayBegin(prompt, places('w', 'unknown', workspace - 1)));
  t.notOk(mayBegin(prompt, places('w', 'unknown', workspace)));
  t.ok(mayBegin(prompt, places('another', 'unknown', workspace)));
  t.ok(mayBegin(slow, places('w', 'slow', workspaceSlow - 1)));
  t.notOk(mayBegin(slow, places('w', 'slow', workspaceSlow)), 'its slow channels leave places to its other channels');
  t.ok(mayBegin(unknown, places('w', 'slow', workspaceSlow)));
});

t.test('those of many workspaces that hang leave places to channels that are prompt or new', async (t) => {
  const hanging = ofMany('slow', PLACE_LIMITS.slow);
  t.notOk(mayBegin(slow, hanging));
  t.ok(mayBegin(unknown, hanging));
  const unproven = [...hanging, ...ofMany('unknown', PLACE_LIMITS.unproven - PLACE_LIMITS.slow)];
  t.notOk(mayBegin(unknown, unproven));
  t.ok(mayBegin(prompt, unproven));
  t.notOk(mayBegin(prompt, ofMany('prompt', PLACE_LIMITS.all)));
});

t.test('the workspace with the fewest is next, then the first, but none that may not begin', async (t) => {
  const [a, b] = [...places('a', 'prompt'), ...places('b', 'slow')] as [Place, Place];
  t.equal(nextToServe([a, b], places('a', 'prompt'), PLACE_LIMITS), b);
  t.equal(nextToServe([b, a], [], PLACE_LIMITS), b, 'a channel that is never served would be a lost one');
  t.equal(nextToServe([b, a], ofMany('slow', PLACE_LIMITS.slow), PLACE_LIMITS), a);
  t.equal(nextToServe([], [], PLACE_LIMITS), null);
});

t.test('the time of a delivery shows whether its channel is slow; the oldest of too many are forgotten', async (t) => {
  t.same([20, 5_000, 5_001, 16_000].map(paceOf), ['prompt', 'prompt', 'slow', 'slow']);
  const paces = createChannelPaces(2);
  paces.note('one', 'slow');
  paces.note('two', 'prompt');
  paces.note('one', 'prompt');
  paces.note('three', 'slow');
  t.same(['one', 'two', 'three'].map(paces.of), ['prompt', 'unknown', 'slow']);
});

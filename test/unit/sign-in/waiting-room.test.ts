import t from 'tap';
import { createWaitingRoom } from '../../../control-plane/sign-in/waiting-room.js';
import { testClock } from '../../helpers/clock.js';

function roomUnderTest(waitingMax: number) {
  const clock = testClock(0);
  const room = createWaitingRoom({ clock, waitingMax, refusal: () => new Error('too many') });
  const states: Record<string, string> = {};
  const wait = async (group: string, member: string, delayMs = 1_000) => {
    const name = `${group} ${member}`;
    states[name] = 'waits';
    await room.wait({ group, member }, delayMs).then(
      () => (states[name] = 'passed'),
      (error: Error) => (states[name] = error.message),
    );
  };
  return { clock, states, wait };
}

t.test('each waits for its own delay', async (t) => {
  const { clock, states, wait } = roomUnderTest(10);
  void wait('a', '1', 1_000);
  void wait('a', '2', 2_000);
  await clock.advance(999);
  t.same(states, { 'a 1': 'waits', 'a 2': 'waits' });
  await clock.advance(1);
  t.same(states, { 'a 1': 'passed', 'a 2': 'waits' });
  await clock.advance(1_000);
  t.same(states, { 'a 1': 'passed', 'a 2': 'passed' });
});

t.test('guesses of one account from many networks take no places of other accounts', async (t) => {
  const { clock, states, wait } = roomUnderTest(4);
  for (const network of ['1', '2', '3', '4', '5']) void wait('attacked', network);
  void wait('other', '1');
  void wait('other', '2');
  void wait('other', '3');
  await clock.advance(0);
  t.match(states, { 'attacked 5': 'too many', 'other 1': 'waits', 'other 2': 'waits', 'other 3': 'too many' });
  t.equal(Object.values(states).filter((state) => state === 'waits').length, 4);
  await clock.advance(1_000);
  t.equal(Object.values(states).filter((state) => state === 'passed').length, 4);
  for (const network of ['1', '2', '3', '4']) void wait('again', network);
  await clock.advance(1_000);
  t.equal(states['again 4'], 'passed', 'all places were given back');
});

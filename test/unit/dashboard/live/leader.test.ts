import t from 'tap';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';

interface Claim {
  id: string;
  term: number;
  sinceMs: number;
}
type Role =
  | { kind: 'seeking'; untilMs: number }
  | { kind: 'following'; leader: Claim; heardMs: number }
  | { kind: 'leading'; claim: Claim };
interface Frame {
  event: string | null;
  data: unknown;
  id: string | null;
}

const { afterBeat, afterLeave, isLeaderless } = await browserModule<{
  afterBeat(role: Role, leader: Claim, nowMs: number): Role;
  afterLeave(role: Role, leaverId: string, untilMs: number): Role;
  isLeaderless(role: Role, nowMs: number): boolean;
}>('app/live/leader.ts');
const { createPassedOn } = await browserModule<{
  createPassedOn(fromId: string | null): {
    add(frame: Frame): void;
    behind(id: string): Frame[] | null;
    isBehind(): boolean;
  };
}>('app/live/passed-on.ts');

const FIRST: Claim = { id: 'b', term: 1, sinceMs: 100 };
const LATER: Claim = { id: 'a', term: 1, sinceMs: 200 };
const SUCCESSOR: Claim = { id: 'c', term: 2, sinceMs: 300 };

t.test('of two windows, each knows which one leads', (t) => {
  const hears = (claim: Claim, other: Claim) => afterBeat({ kind: 'leading', claim }, other, 0).kind;
  const both = (ahead: Claim, other: Claim) => hears(ahead, other) === 'leading' && hears(other, ahead) === 'following';
  t.ok(both(FIRST, LATER), 'the one that was there first');
  t.ok(both(SUCCESSOR, FIRST), 'the one that took over from a silent one');
  t.ok(both({ ...FIRST, id: 'a' }, FIRST), 'one of two that began together');
  t.end();
});

t.test('a leader steps down for one that is ahead, and for no other', (t) => {
  t.same(afterBeat({ kind: 'leading', claim: FIRST }, LATER, 500), { kind: 'leading', claim: FIRST });
  const following = { kind: 'following', leader: SUCCESSOR, heardMs: 500 } as const;
  t.same(afterBeat({ kind: 'leading', claim: FIRST }, SUCCESSOR, 500), following);
  t.same(afterBeat({ kind: 'seeking', untilMs: 900 }, SUCCESSOR, 500), following);
  t.same(afterBeat(following, FIRST, 600), following, 'a leader of before that wakes up is not heard');
  t.same(afterBeat(following, SUCCESSOR, 600), { ...following, heardMs: 600 });
  t.end();
});

t.test('a window takes over when nobody answers, the leader is silent, or it has left', (t) => {
  t.notOk(isLeaderless({ kind: 'seeking', untilMs: 900 }, 899));
  t.ok(isLeaderless({ kind: 'seeking', untilMs: 900 }, 900));
  const following = { kind: 'following', leader: FIRST, heardMs: 1_000 } as const;
  t.notOk(isLeaderless(following, 2_500));
  t.ok(isLeaderless(following, 2_501));
  t.notOk(isLeaderless({ kind: 'leading', claim: FIRST }, 1_000_000));
  t.same(afterLeave(following, LATER.id, 1_050), following, 'it follows another one');
  t.same(afterLeave(following, FIRST.id, 1_050), { kind: 'seeking', untilMs: 1_050 });
  t.end();
});

const event = (id: string): Frame => ({ event: 'monitor', data: {}, id });
const heartbeat = (id: string): Frame => ({ event: null, data: null, id });
const READY: Frame = { event: 'ready', data: { resumed: true }, id: '3' };

t.test('a window continues behind its last event, if the leader knows it', (t) => {
  const passedOn = createPassedOn('1');
  for (const frame of [event('2'), READY, heartbeat('3'), event('4')]) passedOn.add(frame);
  t.same(passedOn.behind('1'), [event('2'), heartbeat('3'), event('4')], 'the beginning of the stream is its own');
  t.same(passedOn.behind('3'), [event('4')]);
  t.same(passedOn.behind('4'), []);
  t.equal(passedOn.behind('0'), null, 'it must read everything');
  const fresh = createPassedOn(null);
  fresh.add({ ...READY, id: '7' });
  fresh.add(event('8'));
  t.same(fresh.behind('7'), [event('8')]);
  t.end();
});

t.test('what was passed on long ago is forgotten', (t) => {
  const passedOn = createPassedOn('0');
  for (let id = 1; id <= 501; id++) passedOn.add(event(String(id)));
  t.equal(passedOn.behind('0'), null);
  t.equal(passedOn.behind('249'), null);
  t.equal(passedOn.behind('250')?.length, 251);
  t.end();
});

t.test('a window that joins hears that events come late', (t) => {
  const passedOn = createPassedOn('1');
  passedOn.add({ event: 'behind', data: {}, id: null });
  t.ok(passedOn.isBehind());
  passedOn.add(event('2'));
  t.ok(passedOn.isBehind(), 'only a heartbeat ends it');
  passedOn.add(heartbeat('2'));
  t.notOk(passedOn.isBehind());
  t.end();
});

import { createRotation, type Share } from '../../../kernel/concurrency/rotation.js';

/** Whose work it is. */
export interface Owner extends Share {
  /** Whether it is one of those that have proved before who they are, so that strangers cannot push it out. */
  known: boolean;
}

/** Runs work with a bound on how much of it runs, and waits, at a time. */
export interface FairQueue {
  /**
   * Runs `work` when its turn comes. Groups take turns, as do the members of each, and those who are known and strangers. When
   * too much is waiting, the newest work of the group with most of it rejects with `refusal()`, at last that of a stranger.
   */
  run<T>(owner: Owner, work: () => Promise<T>): Promise<T>;
}

interface Waiter {
  start(): void;
  refuse(): void;
}

/**
 * `groupsOfMemberMax`: when a member, such as a network, has as much waiting, in whatever groups, its further work counts as one group.
 * Whoever tries a name after the other gets no more turns by it.
 */
export function createFairQueue(limits: {
  runningMax: number;
  waitingMax: number;
  groupsOfMemberMax: number;
  refusal: () => Error;
}): FairQueue {
  const { runningMax, waitingMax, groupsOfMemberMax, refusal } = limits;
  const known = createRotation<Waiter>();
  const strangers = createRotation<Waiter>();
  let running = 0;
  let lastWasKnown = false;

  const waitingOfMember = new Map<string, number>();

  const size = () => known.size() + strangers.size();

  function count(member: string, by: number): void {
    const waiting = (waitingOfMember.get(member) ?? 0) + by;
    if (waiting > 0) waitingOfMember.set(member, waiting);
    else waitingOfMember.delete(member);
  }

  function shareOf(owner: Owner): Owner {
    if ((waitingOfMember.get(owner.member) ?? 0) < groupsOfMemberMax) return owner;
    return { ...owner, group: `all of ${owner.member}`, member: owner.group };
  }

  /** Returns whether there is room for one more, which other work may have lost to it. */
  function makeRoom(owner: Owner): boolean {
    if (size() < waitingMax) return true;
    const own = owner.known ? known : strangers;
    const from = strangers.size() > 0 ? strangers : own;
    const heaviest = from === own ? own.heavierThan(owner.group) : from.heaviest();
    if (heaviest === null) return false;
    from.dropOf(heaviest)?.refuse();
    return true;
  }

  async function turn(owner: Owner): Promise<void> {
    if (running < runningMax) {
      running += 1;
      return;
    }
    const share = shareOf(owner);
    if (!makeRoom(share)) throw refusal();
    count(owner.member, 1);
    try {
      await new Promise<void>((resolve, reject) => {
        (owner.known ? known : strangers).add(share, { start: resolve, refuse: () => reject(refusal()) });
      });
    } finally {
      count(owner.member, -1);
    }
  }

  function next(): Waiter | null {
    const [first, second] = lastWasKnown ? [strangers, known] : [known, strangers];
    const fromFirst = first.next();
    lastWasKnown = (fromFirst === null ? second : first) === known;
    return fromFirst ?? second.next();
  }

  return {
    async run(owner, work) {
      await turn(owner);
      try {
        return await work();
      } finally {
        // The next one takes over this turn, so `running` stays as it is.
        const waiter = next();
        if (waiter === null) running -= 1;
        else waiter.start();
      }
    },
  };
}

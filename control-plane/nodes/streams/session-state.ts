/**
 * `greeting`: the credential is good, the Hello has not come yet.
 * `claiming`: the Hello is here; whether this stream may be the node's is being found out, nothing is read.
 * `live`: the node's stream.
 * `draining`: the node was asked to go elsewhere; its batches are still taken.
 * `finishing`: nothing more is read; batches in hand are stored and acknowledged, then the stream ends.
 * `closed`: ended, by whichever side.
 */
export type SessionState = 'greeting' | 'claiming' | 'live' | 'draining' | 'finishing' | 'closed';

const NEXT_STATES: Record<SessionState, readonly SessionState[]> = {
  greeting: ['claiming', 'finishing', 'closed'],
  claiming: ['live', 'finishing', 'closed'],
  live: ['draining', 'finishing', 'closed'],
  draining: ['finishing', 'closed'],
  finishing: ['closed'],
  closed: [],
};

export interface SessionMachine {
  state(): SessionState;
  /** The only way the state changes; false for an event that comes too late to mean anything. */
  transition(to: SessionState): boolean;
}

/** `onEnter` runs after each change. */
export function createSessionMachine(onEnter: (state: SessionState) => void): SessionMachine {
  let current: SessionState = 'greeting';
  return {
    state: () => current,
    transition(to) {
      if (!NEXT_STATES[current].includes(to)) return false;
      current = to;
      onEnter(to);
      return true;
    },
  };
}

/** States in which messages of the node are read. */
export function isReading(state: SessionState): boolean {
  return state === 'greeting' || state === 'live' || state === 'draining';
}

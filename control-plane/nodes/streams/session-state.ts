/**
 * `greeting`: the credential is valid, the Hello has not arrived.
 * `claiming`: the Hello has arrived and the stream waits for admission; nothing is read.
 * `live`: the current stream of the node.
 * `draining`: the node was asked to reconnect elsewhere; its batches are still accepted.
 * `finishing`: nothing is read; batches in progress are stored and acknowledged, then the stream ends.
 * `closed`: ended by either side.
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
  /** Changes the state. Returns false, without effect, for an event that comes too late. */
  transition(to: SessionState): boolean;
}

/** Returns a new state machine. `onEnter` runs after each change. */
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

/** Returns whether messages of the node are read in this state. */
export function isReading(state: SessionState): boolean {
  return state === 'greeting' || state === 'live' || state === 'draining';
}

import type { Clock, Timer } from '../kernel/clock.js';

/** The state of the link between a node and the control plane. */
export type LinkState =
  /** Not started, or stopped for good. No stream is open. */
  | 'stopped'
  /** A stream is open and hello is sent; the control plane has not welcomed it yet. */
  | 'connecting'
  /** The stream carries batches and commands. */
  | 'welcomed'
  /** Like `welcomed`, while another stream is opened as its replacement. */
  | 'draining'
  /** No stream is open; the node reconnects after a backoff. */
  | 'waiting'
  /** No stream is open; the control plane refuses this node, which retries only every few minutes. */
  | 'refused';

type LinkEvent =
  | 'start'
  /** The control plane welcomes the new stream. */
  | 'welcome'
  /** The control plane or this node wants to replace the stream. */
  | 'drain'
  /** A stream ended, became silent, or could not be opened. */
  | 'lost'
  | 'refused'
  /** The backoff has elapsed. */
  | 'retry'
  | 'stop';

const TRANSITIONS: Record<LinkState, Partial<Record<LinkEvent, LinkState>>> = {
  stopped: { start: 'connecting' },
  connecting: { welcome: 'welcomed', lost: 'waiting', refused: 'refused', stop: 'stopped' },
  welcomed: { drain: 'draining', lost: 'waiting', refused: 'refused', stop: 'stopped' },
  draining: { welcome: 'welcomed', lost: 'waiting', refused: 'refused', stop: 'stopped' },
  waiting: { retry: 'connecting', stop: 'stopped' },
  refused: { retry: 'connecting', stop: 'stopped' },
};

/** Returns the state after `event`; null when the event came too late and must be ignored. */
function nextState(state: LinkState, event: LinkEvent): LinkState | null {
  return TRANSITIONS[state][event] ?? null;
}

/** The state of one link, and the timer of the current state. */
export interface LinkMachine {
  state(): LinkState;
  /** The only function that changes the state. Cancels the timer. Returns false when the event came too late. */
  transition(event: LinkEvent): boolean;
  /** Calls `run` after `delayMs`, unless the state changes before. */
  after(delayMs: number, run: () => void): void;
}

export function createLinkMachine(clock: Clock): LinkMachine {
  let state: LinkState = 'stopped';
  let timer: Timer | null = null;
  return {
    state: () => state,
    transition(event) {
      const next = nextState(state, event);
      if (next === null) return false;
      state = next;
      timer?.cancel();
      timer = null;
      return true;
    },
    after(delayMs, run) {
      timer = clock.after(delayMs, run);
    },
  };
}

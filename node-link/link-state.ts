/** Where the link between a node and the control plane stands. */
export type LinkState =
  /** Not started, or ended for good by `stop`. No stream is open. */
  | 'stopped'
  /** A stream is opened and has said hello; the control plane has not welcomed it yet. */
  | 'connecting'
  /** The stream carries batches and commands. */
  | 'welcomed'
  /** As welcomed, but another stream is being opened to take over. */
  | 'draining'
  /** No stream; the next try comes after a jittered pause. */
  | 'waiting'
  /** No stream; the control plane does not want this node, and is asked again only now and then. */
  | 'refused';

export type LinkEvent =
  | 'start'
  /** The stream that was being opened is good. */
  | 'welcome'
  /** The control plane, or this node itself, wants the stream replaced. */
  | 'drain'
  /** A stream ended, fell silent, or could not be opened. */
  | 'lost'
  | 'refused'
  /** The pause is over. */
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

/** The state after `event`; null when the event comes too late to matter, and what it brought is to be released. */
export function nextState(state: LinkState, event: LinkEvent): LinkState | null {
  return TRANSITIONS[state][event] ?? null;
}

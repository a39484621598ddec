import type { StreamEnd, StreamNeeds } from './event-stream.ts';
import type { Frame } from './frames.ts';
import { afterBeat, afterLeave, type Claim, isLeaderless, type Role, SEEK_MS, TAKE_OVER_MS } from './leader.ts';
import { type Leading, lead } from './leading.ts';
import { type Message, mayBeLed, openWindows } from './windows.ts';

const TICK_MS = 100;
/** A page that did nothing for this long has heard nothing either. */
const ASLEEP_MS = 600;
/** Without a stream that begins. */
const BEGIN_MS_MAX = 15_000;
/** A heartbeat, or `behind`, comes every 5 s. */
const SILENCE_MS_MAX = 12_000;
const LOST: StreamEnd = { status: 0, retryAfterS: null };

/** This window, as long as the page is open. */
interface Own {
  id: string;
  /** It led until its stream ended, and leads again before the others. */
  hasLed: boolean;
}

/**
 * Returns the function that reads events as `readEvents` does, with one connection for all visible windows of the browser:
 * six is all that it has to a server without http/2. One window leads: it reads the stream and passes everything on. When
 * it is hidden, closed or silent, another one continues behind the last event, and no page notices.
 */
export function createSharedStream(): (needs: StreamNeeds) => Promise<StreamEnd> {
  const own: Own = { id: String(Math.random()), hasLed: false };
  return (needs) => new Promise((resolve) => takePart({ ...needs, own, resolve }));
}

interface PartNeeds extends StreamNeeds {
  own: Own;
  resolve(end: StreamEnd): void;
}

function takePart({ lastId, signal, onFrame, now, own, resolve }: PartNeeds): void {
  let role: Role = { kind: 'seeking', untilMs: now() + (mayBeLed() && !own.hasLed ? SEEK_MS : 0) };
  let leading: Leading | null = null;
  let term = 0;
  let position = lastId;
  let hasBegun = false;
  let hasEnded = false;
  /** The page is hidden or closed, and the others go on. */
  let hasGone = false;
  /** The leader whose frames continue what has arrived. */
  let welcomedBy: Claim | null = null;
  let heardMs = now();
  let tickMs = heardMs;

  const finish = (end: StreamEnd): void => {
    if (hasEnded) return;
    hasEnded = true;
    clearInterval(ticking);
    signal.removeEventListener('abort', goAway);
    window.removeEventListener('pagehide', goAway);
    own.hasLed = leading !== null && !hasGone;
    leading?.stop({ end: hasGone ? null : end });
    windows.close();
    resolve(end);
  };
  const goAway = () => {
    hasGone = true;
    finish(LOST);
  };

  function receive(frame: Frame): void {
    heardMs = now();
    position = frame.id ?? position;
    if (frame.event === 'ready' && hasBegun) {
      // The page knows nothing of another leader, unless something is missing.
      if (!(frame.data as { resumed: boolean }).resumed) finish(LOST);
      return;
    }
    if (frame.event === 'ready') hasBegun = true;
    onFrame(frame);
  }

  function takeOver(): void {
    term += 1;
    // Windows compare these, and durations of each begin at another time.
    const claim = { id: own.id, term, sinceMs: Date.now() };
    role = { kind: 'leading', claim };
    leading = lead({ claim, lastId: position, windows, onFrame: receive, now, onEnd: finish });
  }

  function follow(leader: Claim): boolean {
    term = Math.max(term, leader.term);
    role = afterBeat(role, leader, now());
    if (role.kind === 'leading') {
      // The other one then hears who leads.
      leading?.beat();
    } else {
      leading?.stop({ isOutdone: true });
      leading = null;
    }
    return role.kind === 'following' && isSame(role.leader, leader);
  }

  function hear(message: Message): void {
    if (message.kind === 'hello') {
      leading?.welcome(message.from, message.lastId);
    } else if (message.kind === 'left') {
      leave(message.claim, message.end);
    } else if (follow(message.claim)) {
      heed(message);
    }
  }

  function leave({ id }: Claim, end: StreamEnd | null): void {
    if (end !== null && role.kind === 'following' && role.leader.id === id) finish(end);
    else role = afterLeave(role, id, now() + Math.random() * TAKE_OVER_MS);
  }

  /** Takes what the leader says. */
  function heed(message: Exclude<Message, { kind: 'hello' | 'left' }>): void {
    const { kind, claim } = message;
    const isWelcome = welcomedBy !== null && isSame(welcomedBy, claim);
    if (kind === 'beat' && message.isConnected && !isWelcome) {
      windows.tell({ kind: 'hello', from: own.id, lastId: position });
    } else if (kind === 'frame' && isWelcome) {
      receive(message.frame);
    } else if (kind === 'welcome' && message.to === own.id && !isWelcome) {
      welcomedBy = claim;
      for (const frame of message.frames) if (!hasEnded) receive(frame);
    }
  }

  function tick(): void {
    const nowMs = now();
    if (role.kind === 'following' && nowMs - tickMs > ASLEEP_MS) role = { ...role, heardMs: nowMs };
    tickMs = nowMs;
    if (role.kind === 'leading') return;
    if (nowMs - heardMs > (hasBegun ? SILENCE_MS_MAX : BEGIN_MS_MAX)) finish(LOST);
    else if (isLeaderless(role, nowMs)) takeOver();
  }

  const windows = openWindows(hear);
  const ticking = setInterval(tick, TICK_MS);
  signal.addEventListener('abort', goAway);
  window.addEventListener('pagehide', goAway);
  windows.tell({ kind: 'hello', from: own.id, lastId });
  tick();
}

const isSame = (one: Claim, other: Claim): boolean => one.id === other.id && one.term === other.term;

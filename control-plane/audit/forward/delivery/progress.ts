import type { Clock } from '../../../../kernel/clock.js';
import type { ForwarderDocument } from '../documents.js';
import type { ForwarderStore, WorkerClaim } from '../store.js';
import type { Transport } from '../transports/interface.js';
import type { Position } from './compose.js';

/** Minimum time between saves. Ignored if the receiver acknowledges each batch. */
const SAVE_MS = 250;

/** Tracks what was sent over one connection, and how much of it the receiver has confirmed. */
export interface DeliveryProgress {
  /** Returns where the next message starts. */
  position(): Position;
  /** Records that a batch was handed to the transport; `to` is the position after it. */
  sent(to: Position): void;
  /** Moves past entries that the severity filter excludes. */
  skip(to: Position): void;
  /** Returns whether a sent batch is still unconfirmed. */
  hasUnconfirmed(): boolean;
  /** Returns whether something is unconfirmed, or confirmed and not saved yet. */
  hasPending(): boolean;
  /** Saves the confirmed position. Resolves to false if another worker owns the forwarder now. */
  save(isLast: boolean): Promise<boolean>;
}

export function createDeliveryProgress(
  { clock, store }: { clock: Clock; store: Pick<ForwarderStore, 'advance'> },
  claim: WorkerClaim,
  forwarder: Pick<ForwarderDocument, 'cursor'>,
  transport: Transport,
): DeliveryProgress {
  const { id, at_ms, sequence } = forwarder.cursor;
  let position: Position = { id, at_ms, sequence };
  let confirmed = position;
  let saved = position;
  let unconfirmed: Position[] = [];
  let batchesConfirmed = 0;
  /** Whether the receiver took something since the last save. */
  let hasSuccess = false;
  let savedMs = Number.NEGATIVE_INFINITY;

  function update(): void {
    const fresh = transport.confirmed() - batchesConfirmed;
    if (fresh > 0) {
      confirmed = unconfirmed[fresh - 1] ?? confirmed;
      unconfirmed = unconfirmed.slice(fresh);
      batchesConfirmed += fresh;
      hasSuccess = true;
    }
    if (unconfirmed.length === 0) confirmed = position;
  }

  return {
    position: () => position,
    sent(to) {
      unconfirmed.push(to);
      position = to;
    },
    skip(to) {
      position = to;
    },
    hasUnconfirmed() {
      update();
      return unconfirmed.length > 0;
    },
    hasPending() {
      update();
      return unconfirmed.length > 0 || hasSuccess || confirmed.id !== saved.id;
    },
    async save(isLast) {
      update();
      if (!hasSuccess && confirmed.id === saved.id) return true;
      const nowMs = clock.monotonic();
      if (!isLast && !transport.acknowledged && nowMs - savedMs < SAVE_MS) return true;
      const to = confirmed;
      const isOwner = await store.advance(claim, to, hasSuccess ? clock.now() : null);
      [saved, savedMs, hasSuccess] = [to, nowMs, false];
      return isOwner;
    },
  };
}

import { RECORD_BYTES_MAX } from '../../../../proto/limits.js';

/** The bytes of records that nodes may send, of all streams together. */
export interface Credit {
  /** Returns the credit of a new stream. It is empty until `renew`. */
  open(): StreamCredit;
  /** Returns the bytes that all streams together may send. */
  grantedBytes(): number;
  /** Returns the bytes that wait beyond the credit of their streams. */
  overdrawnBytes(): number;
}

export interface StreamCredit {
  /** Takes back what the stream had, and returns how many bytes its next batch may have. 0: any number. */
  renew(): number;
  /**
   * Counts a batch that waits to be stored. Returns false when it exceeds the credit of its stream and too much of other
   * streams does: the batch must be dropped.
   */
  hold(bytes: number): boolean;
  /** The batch no longer waits. */
  release(bytes: number): void;
  /** Whether more waits than the stream may send, by more than its largest record. */
  isOverdrawn(): boolean;
  close(): void;
}

/** A stream gets at most this part of what is free, so that something is left for those that follow. */
const PARTS = 32;
/** A few samples, so that every node makes progress. Many nodes may exceed the total by this much each. */
const STREAM_BYTES_MIN = 8 * 1024;
const STREAM_BYTES_MAX = 256 * 1024;

/**
 * `overdraftBytesMax` is for what nodes send beyond their credit: a single record may be larger, and a node may ignore
 * what it was granted.
 */
export function createCredit(bytesMax: number, overdraftBytesMax: number): Credit {
  let granted = 0;
  let overdrawn = 0;
  return {
    open() {
      let own = 0;
      let held = 0;
      let over = 0;
      let isOpen = true;
      const setOver = (bytes: number) => {
        overdrawn += bytes - over;
        over = bytes;
      };
      return {
        renew() {
          granted -= own;
          const share = Math.floor((bytesMax - granted) / PARTS);
          own = Math.min(STREAM_BYTES_MAX, Math.max(STREAM_BYTES_MIN, share));
          granted += own;
          setOver(Math.max(0, held - own));
          return own;
        },
        hold(bytes) {
          const overThen = Math.max(0, held + bytes - own);
          // A window may be smaller than the next record, which the node must be able to send.
          const isOneRecord = held === 0 && bytes <= RECORD_BYTES_MAX;
          if (!isOpen || (!isOneRecord && overdrawn + overThen - over > overdraftBytesMax)) return false;
          held += bytes;
          setOver(overThen);
          return true;
        },
        release(bytes) {
          if (!isOpen) return;
          held -= bytes;
          setOver(Math.max(0, held - own));
        },
        isOverdrawn: () => over > RECORD_BYTES_MAX,
        close() {
          isOpen = false;
          granted -= own;
          own = 0;
          setOver(0);
        },
      };
    },
    grantedBytes: () => granted,
    overdrawnBytes: () => overdrawn,
  };
}

/** The credit of nodes that are few: they send as much as the protocol allows. */
export const unlimitedCredit: StreamCredit = {
  renew: () => 0,
  hold: () => true,
  release: () => {},
  isOverdrawn: () => false,
  close: () => {},
};

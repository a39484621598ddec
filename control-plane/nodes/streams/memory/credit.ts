/** The bytes of records that nodes may send, of all streams together. */
export interface Credit {
  /** Returns the credit of a new stream. It is empty until `renew`. */
  open(): StreamCredit;
  /** Returns the bytes that all streams together may send. */
  grantedBytes(): number;
}

export interface StreamCredit {
  /** Takes back what the stream had, and returns how many bytes its next batch may have. 0: any number. */
  renew(): number;
  close(): void;
}

/** A stream gets at most this part of what is free, so that something is left for those that follow. */
const PARTS = 32;
/** A few samples, so that every node makes progress. Many nodes may exceed the total by this much each. */
const STREAM_BYTES_MIN = 8 * 1024;
const STREAM_BYTES_MAX = 256 * 1024;

export function createCredit(bytesMax: number): Credit {
  let granted = 0;
  return {
    open() {
      let own = 0;
      return {
        renew() {
          granted -= own;
          const share = Math.floor((bytesMax - granted) / PARTS);
          own = Math.min(STREAM_BYTES_MAX, Math.max(STREAM_BYTES_MIN, share));
          granted += own;
          return own;
        },
        close() {
          granted -= own;
          own = 0;
        },
      };
    },
    grantedBytes: () => granted,
  };
}

/** The credit of nodes that are few: they send as much as the protocol allows. */
export const unlimitedCredit: StreamCredit = { renew: () => 0, close: () => {} };

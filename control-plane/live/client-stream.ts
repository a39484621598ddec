import { Readable } from 'node:stream';

/** A client that does not read this much is cut off: what waits for it must not fill the memory of all others. */
const UNREAD_BYTES_MAX = 256 * 1024;

/** The open response to one client. */
export interface ClientStream {
  body: Readable;
  /** Returns false if the client was cut off because it does not read. */
  write(text: string): boolean;
  /** Writes the last text and ends the response. */
  end(text: string): void;
}

/** `onClose` is called once, whoever ended the stream. */
export function createClientStream(onClose: () => void): ClientStream {
  const body = new Readable({ read() {}, highWaterMark: UNREAD_BYTES_MAX });
  body.once('close', onClose);
  // An error is how the response learns of a cut; without a listener it would end the process.
  body.on('error', () => {});
  let ended = false;
  return {
    body,
    write(text) {
      if (ended || body.destroyed) return true;
      if (body.readableLength + Buffer.byteLength(text) > UNREAD_BYTES_MAX) {
        body.destroy(new Error('the client does not read its events'));
        return false;
      }
      body.push(text);
      return true;
    },
    end(text) {
      if (ended || body.destroyed) return;
      ended = true;
      body.push(text);
      body.push(null);
    },
  };
}

import { Readable } from 'node:stream';

/** A client that does not read this much is cut off: what waits for it must not fill the memory of all others. */
const UNREAD_BYTES_MAX = 256 * 1024;

/** The open response to one client. */
export interface ClientStream {
  body: Readable;
  /** Returns false if the client was cut off because it does not read. Streams can share the bytes. */
  write(bytes: Buffer): boolean;
  /** What the response has not taken yet, because its socket is full. */
  unreadBytes(): number;
  /** Ends the response at once, with what waits for the client. */
  cut(): void;
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
  const cut = () => void body.destroy(new Error('the client does not read its events'));
  return {
    body,
    cut,
    unreadBytes: () => (body.destroyed ? 0 : body.readableLength),
    write(bytes) {
      if (ended || body.destroyed) return true;
      if (body.readableLength + bytes.length > UNREAD_BYTES_MAX) {
        cut();
        return false;
      }
      body.push(bytes);
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

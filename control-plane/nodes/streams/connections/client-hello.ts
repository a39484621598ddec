import type { Socket } from 'node:net';

/** The type of the TLS records that a handshake begins with (RFC 8446, section 5.1). */
const HANDSHAKE = 22;
const HEADER_BYTES = 5;
/** RFC 8446, section 5.1. */
const RECORD_BYTES_MAX = 16_384;

/**
 * Calls `arrived` when the socket has the whole first record of a TLS handshake, which stays unread. Ends a connection that begins
 * in another way. Until then a connection costs no more than its socket.
 */
export function whenHelloArrived(socket: Socket, arrived: () => void): void {
  let hello = Buffer.alloc(0);
  const leave = () => void socket.destroy();
  const read = () => {
    const chunk: Buffer | null = socket.read();
    if (chunk === null) return;
    hello = Buffer.concat([hello, chunk]);
    const state = recordState(hello);
    if (state === 'incomplete') return;
    socket.off('readable', read);
    socket.off('end', leave);
    if (state === 'invalid') {
      socket.destroy();
      return;
    }
    socket.unshift(hello);
    arrived();
  };
  socket.on('readable', read);
  socket.once('end', leave);
}

function recordState(bytes: Buffer): 'incomplete' | 'complete' | 'invalid' {
  if (bytes[0] !== HANDSHAKE) return 'invalid';
  if (bytes.length < HEADER_BYTES) return 'incomplete';
  const length = bytes.readUInt16BE(HEADER_BYTES - 2);
  if (length > RECORD_BYTES_MAX) return 'invalid';
  return bytes.length < HEADER_BYTES + length ? 'incomplete' : 'complete';
}

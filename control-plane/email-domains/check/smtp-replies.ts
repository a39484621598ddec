import type { Socket } from 'node:net';

/** What a server may send before it has answered. */
const BYTES_MAX = 8_192;

/** A reply of an SMTP server (RFC 5321, section 4.2), without the code at the start of its lines. */
interface Reply {
  code: number;
  lines: string[];
}

/** Reads the replies of an SMTP server, one after the other. */
export interface Replies {
  /** Rejects when the server closes the connection, or sends what is not a reply or is too long. */
  next(): Promise<Reply>;
  /** Leaves the socket to somebody else. */
  stop(): void;
}

export function createReplies(socket: Socket): Replies {
  let text = '';
  let waiting: { resolve(reply: Reply): void; reject(error: Error): void } | null = null;
  let ended: Error | null = null;

  function end(error: Error): void {
    ended ??= error;
    waiting?.reject(ended);
    waiting = null;
  }

  function read(): void {
    if (waiting === null) return;
    const [whole, last] = /^(?:\d{3}-[^\n]*\n)*(\d{3})(?: [^\n]*)?\n/.exec(text) ?? [];
    if (whole === undefined || last === undefined) {
      if (text.length > BYTES_MAX) end(new Error('the server sends too much'));
      return;
    }
    text = text.slice(whole.length);
    const lines = whole.trimEnd().split('\n');
    waiting.resolve({ code: Number(last), lines: lines.map((line) => line.slice(4).trim()) });
    waiting = null;
  }

  const onData = (chunk: Buffer) => {
    text = `${text}${chunk.toString('latin1')}`.replace(/\r\n/g, '\n').slice(0, BYTES_MAX + 1);
    read();
  };
  const onClose = () => end(new Error('the server closed the connection'));
  socket.on('data', onData);
  socket.on('close', onClose);
  return {
    next: () =>
      new Promise((resolve, reject) => {
        if (ended !== null) return reject(ended);
        waiting = { resolve, reject };
        read();
      }),
    stop() {
      socket.off('data', onData);
      socket.off('close', onClose);
    },
  };
}

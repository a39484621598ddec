import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A server that says what a test wants. */
export interface SmtpScript {
  port: number;
  /** The lines that it received. */
  received: string[];
  connections: number;
  stop(): Promise<void>;
}

/** Starts a server on loopback that answers each line, and the connection itself (an empty line), with what `say` returns. */
export async function startSmtpScript(
  say: (line: string, socket: Socket) => string,
  { address = '127.0.0.2', port = 0 } = {},
): Promise<SmtpScript> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    script.connections++;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // A client that ends the connection in the middle is none of its problems.
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      const lines = chunk.toString('latin1').split('\r\n').slice(0, -1);
      for (const line of lines) {
        script.received.push(line);
        socket.write(say(line, socket));
      }
    });
    socket.write(say('', socket));
  });
  await new Promise<void>((resolve) => server.listen(port, address, resolve));
  const script: SmtpScript = {
    port: (server.address() as AddressInfo).port,
    received: [],
    connections: 0,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return script;
}

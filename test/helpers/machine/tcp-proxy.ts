import { connect, createServer, type Socket } from 'node:net';

/** Sits between two ends of a TCP connection and can become a black hole: nothing passes, nothing is closed. */
export interface TcpProxy {
  port: number;
  /** Both directions stop. New connections are accepted and lead nowhere. */
  blackHole(): void;
  /** What the connecting side says is swallowed from now on; what it is told still arrives. */
  deafen(): void;
  /** Lets pass what comes from now on; connections that were caught in the hole stay dead. */
  heal(): void;
  /** Cuts every connection off. */
  cut(): void;
  connections(): number;
  /** Local ports of the connections to the upstream: how the upstream knows them. */
  upstreamPorts(): number[];
  close(): Promise<void>;
}

export async function tcpProxy(upstreamPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const upstream = new Set<Socket>();
  let hole = false;
  let deaf = false;
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  };
  const server = createServer((near) => {
    track(near);
    const far = connect(upstreamPort, '127.0.0.1');
    track(far);
    upstream.add(far);
    far.on('close', () => upstream.delete(far));
    const caught = { yes: hole };
    const pass = (from: Socket, to: Socket, swallows: () => boolean) => {
      // Once a piece is missing the rest is of no use either.
      let swallowed = false;
      from.on('data', (chunk) => {
        caught.yes ||= hole;
        swallowed ||= swallows();
        if (!caught.yes && !swallowed) to.write(chunk);
      });
      from.on('end', () => !caught.yes && to.end());
      from.on('close', () => {
        caught.yes ||= hole;
        if (!caught.yes) to.destroy();
      });
    };
    pass(near, far, () => deaf);
    pass(far, near, () => false);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    port: address.port,
    blackHole() {
      hole = true;
    },
    deafen() {
      deaf = true;
    },
    heal() {
      hole = false;
      deaf = false;
    },
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    connections: () => sockets.size,
    upstreamPorts: () => [...upstream].map((socket) => socket.localPort ?? 0),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

import { connect, createServer, type Socket } from 'node:net';

/** A proxy that can become a black hole: nothing passes, and nothing is closed. */
export interface TcpProxy {
  port: number;
  /** Drops everything in both directions. New connections are accepted and get no answer. */
  blackHole(): void;
  /** From now on, drops what the connecting side sends. The other direction still works. */
  deafen(): void;
  /** Passes data again. Connections that lost data stay dead. */
  heal(): void;
  /** Passes what arrives from now on only after `resume`: whoever answers is slow. */
  pause(): void;
  resume(): void;
  /** Closes every connection. */
  cut(): void;
  /** Closes every connection whose client sends this text, the next `times` times, and drops the text. */
  cutAt(text: string, times: number): void;
  connections(): number;
  /** The local ports of the connections to the upstream, by which the upstream identifies them. */
  upstreamPorts(): number[];
  close(): Promise<void>;
}

export async function tcpProxy(upstreamPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const upstream = new Set<Socket>();
  let hole = false;
  let deaf = false;
  let isPaused = false;
  const kept: (() => void)[] = [];
  const trap = { text: '', times: 0 };
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
    const pass = (from: Socket, to: Socket, swallows: (chunk: Buffer) => boolean) => {
      // If a part is missing, the rest is useless.
      let swallowed = false;
      from.on('data', (chunk: Buffer) => {
        caught.yes ||= hole;
        swallowed ||= swallows(chunk);
        if (caught.yes || swallowed) return;
        if (isPaused) kept.push(() => to.write(chunk));
        else to.write(chunk);
      });
      from.on('end', () => !caught.yes && to.end());
      from.on('close', () => {
        caught.yes ||= hole;
        if (!caught.yes) to.destroy();
      });
    };
    pass(near, far, (chunk) => {
      if (trap.times === 0 || !chunk.includes(trap.text)) return deaf;
      trap.times -= 1;
      near.destroy();
      return true;
    });
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
    pause() {
      isPaused = true;
    },
    resume() {
      isPaused = false;
      for (const pass of kept.splice(0)) pass();
    },
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    cutAt(text, times) {
      trap.text = text;
      trap.times = times;
    },
    connections: () => sockets.size,
    upstreamPorts: () => [...upstream].map((socket) => socket.localPort ?? 0),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

import { connect, type Socket } from 'node:net';
import { systemClock } from '../../kernel/clock.js';
import { testDatabase } from '../../test/helpers/database.js';
import type { FakeNode, FakeStream } from '../../test/helpers/node-link/fake-node.js';
import { fakeMonitors, startNodeSide } from '../../test/helpers/node-link/node-side.js';
import type { Limit } from './limit.js';

const STRANGERS = 2_000;
const NODES = 50;
const RETRY_MS = 200;
const BACK_MS = 1_000;

/** Strangers who connect to the gRPC port, send nothing, and come back when they are sent away. */
export const nodesAmongStrangers: Limit = {
  ...{ name: `until ${NODES} nodes are connected again while ${STRANGERS} idle strangers hold the port`, unit: 'ms' },
  atMost: 10_000,
  async measure() {
    const mongo = await testDatabase();
    const side = await startNodeSide(mongo, fakeMonitors());
    const nodes: FakeNode[] = [];
    for (let count = 0; count < NODES; count++) nodes.push(await side.enrol('fra'));
    const strangers = crowd(Number(side.address.split(':')[1]));
    try {
      await strangers.allConnected;
      const startedMs = performance.now();
      const streams = await Promise.all(nodes.map(connectAtLast));
      const ms = performance.now() - startedMs;
      for (const stream of streams) stream.end();
      return ms;
    } finally {
      strangers.leave();
      for (const node of nodes) node.close();
      await side.stop();
      await mongo.drop();
    }
  },
};

async function connectAtLast(node: FakeNode): Promise<FakeStream> {
  for (;;) {
    try {
      return await node.connect();
    } catch {
      await new Promise((resolve) => systemClock.after(RETRY_MS, () => resolve(null)));
    }
  }
}

/** Each stranger has an address of its own. */
function crowd(port: number): { allConnected: Promise<unknown>; leave(): void } {
  const open = new Set<Socket>();
  let isOver = false;
  const come = (index: number, connected: () => void) => {
    const localAddress = `127.1.${index >> 8}.${index & 255}`;
    const socket = connect({ host: '127.0.0.1', port, localAddress }, connected);
    open.add(socket.resume());
    socket.on('error', () => {});
    socket.on('close', () => {
      open.delete(socket);
      if (!isOver) systemClock.after(BACK_MS, () => isOver || come(index, connected));
    });
  };
  const all = Array.from({ length: STRANGERS }, (_, index) => new Promise<void>((connected) => come(index, connected)));
  return {
    allConnected: Promise.all(all),
    leave() {
      isOver = true;
      for (const socket of open) socket.destroy();
    },
  };
}

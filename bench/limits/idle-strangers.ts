import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { systemClock } from '../../kernel/clock.js';
import { testDatabase } from '../../test/helpers/database.js';
import type { FakeNode, FakeStream } from '../../test/helpers/node-link/fake-node.js';
import { fakeMonitors, startNodeSide } from '../../test/helpers/node-link/node-side.js';
import { startControlPlane } from '../../test/helpers/processes/control-plane.js';
import type { Limit } from './limit.js';

const STRANGERS = 2_000;
const NODES = 50;
const CLIENTS = 50;
const FILES_MAX = 1_024;
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

/** The same crowd at the HTTP port of a control plane that may have 512 connections. */
export const requestsAmongStrangers: Limit = {
  ...{ name: `until ${CLIENTS} clients are answered while ${STRANGERS} idle strangers hold the HTTP port`, unit: 'ms' },
  atMost: 10_000,
  async measure() {
    const mongo = await testDatabase();
    const plane = await startControlPlane(mongo.uri, {}, { filesMax: FILES_MAX });
    const strangers = crowd(Number(new URL(plane.url).port));
    try {
      await strangers.allConnected;
      const startedMs = performance.now();
      await Promise.all(
        Array.from({ length: CLIENTS }, (_, index) => answeredAtLast(plane.url, `127.2.0.${index + 1}`)),
      );
      return performance.now() - startedMs;
    } finally {
      strangers.leave();
      await plane.remove();
      await mongo.drop();
    }
  },
};

async function answeredAtLast(url: string, localAddress: string): Promise<void> {
  for (;;) {
    try {
      const [response] = (await once(get(`${url}/healthz`, { localAddress, agent: false }), 'response')) as [
        IncomingMessage,
      ];
      await once(response.resume(), 'end');
      return;
    } catch {
      await new Promise((resolve) => systemClock.after(RETRY_MS, () => resolve(null)));
    }
  }
}

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

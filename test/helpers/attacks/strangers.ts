import { Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { status } from '@grpc/grpc-js';
import { openClient } from '../node-link/fake-node.js';
import type { AttackPlan, StartAttack, Tally } from './attack.js';

/** Another address than that of the probes and of the tests, as strangers have. */
const ADDRESS = '127.0.0.2';
const REQUESTS = 200;
const REQUESTS_AT_ONCE = 20;
/** More than may wait at once. */
const CONNECTIONS = 150;
/** As many as one connection may make. */
const GUESSES = 4;
/** In each round, so that a few rounds exceed what an address may guess in a minute. */
const GUESSING_CONNECTIONS = 4;

const PATHS = ['/v1/monitors', '/metrics/servers', '/install/agent.sh', '/v1/alerts', '/v1/nothing'];

/** Does what can be done without a credential: requests, guesses of join tokens, and connections that say nothing. */
export const startStrangers: StartAttack = async (plan, tally) => {
  const agent = new Agent({ keepAlive: true, maxSockets: REQUESTS_AT_ONCE, localAddress: ADDRESS });
  const connections = new Set<Socket>();
  let invented = 0;

  function stranger(path: string): Promise<void> {
    const headers = { authorization: `Bearer pk_live_${String(invented++).padStart(40, '0')}` };
    return new Promise((resolve) => {
      const failed = () => {
        tally.add('requests without an answer');
        resolve();
      };
      get(`${plan.url}${path}`, { agent, headers }, (response) => {
        tally.add(`requests ${response.statusCode}`);
        response.resume().on('end', resolve).on('error', failed);
      }).on('error', failed);
    });
  }

  function openConnections(): void {
    const [host = '', port = ''] = plan.grpcAddress.split(':');
    while (connections.size < CONNECTIONS) {
      const socket = connect({ host, port: Number(port), localAddress: ADDRESS });
      connections.add(socket);
      tally.add('connections opened');
      // A socket that nobody reads does not notice its end.
      socket.resume().on('error', () => {});
      socket.on('close', () => {
        connections.delete(socket);
        tally.add('connections ended');
      });
    }
  }

  return {
    async round() {
      openConnections();
      await Promise.all(Array.from({ length: REQUESTS }, (_, index) => stranger(PATHS[index % PATHS.length] ?? '')));
      for (let client = 0; client < GUESSING_CONNECTIONS; client++) await guess(plan, tally);
    },
    end() {
      agent.destroy();
      for (const socket of connections) socket.removeAllListeners('close').destroy();
    },
  };
};

async function guess(plan: AttackPlan, tally: Tally): Promise<void> {
  const client = await openClient(plan.grpcAddress, plan.fingerprint);
  for (let count = 0; count < GUESSES; count++) {
    const token = `guess-${Math.random()}`;
    const code = await new Promise<number>((resolve) =>
      client.enrol({ token, version: '1', hostname: 'h' }, (error) => resolve(error?.code ?? status.OK)),
    );
    tally.add(`guesses ${status[code]}`);
  }
  client.close();
}

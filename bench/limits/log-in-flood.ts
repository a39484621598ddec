import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Agent } from 'undici';
import { systemClock } from '../../kernel/clock.js';
import { testDatabase } from '../../test/helpers/database.js';
import { type ControlPlane, startControlPlane } from '../../test/helpers/processes/control-plane.js';
import { personLike } from '../fixtures/person-like.js';
import type { Limit } from './limit.js';

const ADDRESSES = 540;
/** The first guesses of the addresses are spread over as long. */
const COMING_MS = 1_000;
/** A control plane that runs for a while has compiled what a log-in takes. */
const EARLIER_LOG_INS = 50;
/** From the first guesses, which all hash a password at once, until the account is slowed down as much as it ever is. */
const LOG_INS = 30;
const BETWEEN_LOG_INS_MS = 500;
/** A guesser who is refused comes back after a second, so that the flood measures Picket and not this process. */
const BACK_MS = 1_000;
const HOME = '203.0.113.1';

interface Account {
  email: string;
  password: string;
}

/** From a device from which the owner has logged in before. */
export const ownersLogInUnderFlood: Limit = {
  name: `slowest of ${LOG_INS} right log-ins of an owner while ${ADDRESSES} addresses guess that password`,
  unit: 'ms',
  atMost: 2_000,
  measure: () => underFlood((logIn, { owner }) => logIn(owner, HOME)),
};

/** From an address that nobody has seen before. */
export const anothersLogInUnderFlood: Limit = {
  name: `slowest of ${LOG_INS} right log-ins of another person while ${ADDRESSES} addresses guess an owner's password`,
  unit: 'ms',
  atMost: 2_000,
  measure: () => underFlood((logIn, { other, index }) => logIn(other, `203.0.113.${100 + index}`)),
};

/** Resolves to the status of the answer. */
type LogIn = (account: Account, from: string) => Promise<number>;

async function underFlood(
  right: (logIn: LogIn, given: { owner: Account; other: Account; index: number }) => Promise<number>,
): Promise<number> {
  const mongo = await testDatabase();
  const plane = await startControlPlane(mongo.uri, { PICKET_TRUSTED_PROXIES: '127.0.0.1/32' });
  const agent = new Agent({ connections: ADDRESSES + LOG_INS });
  const logIn: LogIn = (account, from) => post(agent, plane, account, from);
  try {
    const owner: Account = JSON.parse(await readFile(join(plane.dataDir, 'first-run.json'), 'utf8'));
    const other = { email: await personLike(mongo, owner.email), password: owner.password };
    for (let count = 0; count < EARLIER_LOG_INS; count++) await logIn(owner, HOME);
    const endFlood = startFlood(logIn, owner.email);
    try {
      let slowestMs = 0;
      for (let index = 0; index < LOG_INS; index++) {
        const startedMs = performance.now();
        const status = await right(logIn, { owner, other, index });
        if (status !== 200) throw new Error(`a right log-in was answered with ${status}`);
        slowestMs = Math.max(slowestMs, performance.now() - startedMs);
        await pause(BETWEEN_LOG_INS_MS);
      }
      return slowestMs;
    } finally {
      await endFlood();
    }
  } finally {
    await agent.close();
    await plane.remove();
    await mongo.drop();
  }
}

/** Guesses from every address at once, until the returned function is called. */
function startFlood(logIn: LogIn, email: string): () => Promise<unknown> {
  let isOver = false;
  const guess = async (address: number) => {
    const from = `10.${address >> 8}.${address & 255}.1`;
    await pause((COMING_MS * address) / ADDRESSES);
    for (let count = 0; !isOver; count++) {
      const status = await logIn({ email, password: `wrong ${count}` }, from).catch(() => 0);
      if (status !== 401) await pause(BACK_MS);
    }
  };
  const guessers = Array.from({ length: ADDRESSES }, (_, address) => guess(address));
  return () => {
    isOver = true;
    return Promise.all(guessers);
  };
}

async function post(agent: Agent, plane: ControlPlane, account: Account, from: string): Promise<number> {
  const response = await agent.request({
    origin: plane.url,
    path: '/v1/auth/login',
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify({ email: account.email, password: account.password }),
  });
  await response.body.dump();
  return response.statusCode;
}

function pause(ms: number): Promise<null> {
  return new Promise((resolve) => systemClock.after(ms, () => resolve(null)));
}

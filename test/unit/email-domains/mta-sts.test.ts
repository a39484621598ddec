import type { lookup as systemLookup } from 'node:dns';
import t from 'tap';
import { judgeMtaSts, readMtaSts } from '../../../control-plane/email-domains/areas/mta-sts.js';
import { systemClock } from '../../../kernel/clock.js';
import type { Answer } from '../../../kernel/dns/answer.js';
import { createGuardedFetch } from '../../../kernel/guard/guarded-fetch.js';
import { createTargetGuard } from '../../../kernel/guard/target-guard.js';
import { startSmtpScript } from '../../helpers/email-domains/smtp-script.js';

const NAME = 'shop.example.com';
const NONE: Answer = { kind: 'none', exists: false };
const FOUND: Answer = { kind: 'addresses', addresses: ['127.0.0.2'] };

/** Returns the verdict where connecting to the server of the policy fails with `code`, and the resolver answers `addresses`. */
async function verdictAfter(code: string, addresses: Answer, policyUrl?: string) {
  const lookup = ((_name: string, _options: unknown, callback: (error: Error | null, found: unknown) => void) => {
    callback(Object.assign(new Error(`connect ${code}`), { code }), []);
  }) as unknown as typeof systemLookup;
  const guard = createTargetGuard({ allowPrivate: true });
  const fetch = createGuardedFetch({ guard, clock: systemClock, lookup });
  const asked: string[] = [];
  const lookups = {
    texts: async () => ({ kind: 'texts' as const, texts: ['v=STSv1; id=1'] }),
    exchanges: async () => ({ kind: 'none' as const }),
    namesOf: async () => ({ kind: 'none' as const }),
    addresses: async (name: string) => {
      asked.push(name);
      return addresses;
    },
  };
  const answers = await readMtaSts(NAME, {
    lookups,
    fetch,
    policyUrl: (name) => policyUrl ?? `https://mta-sts.${name}/.well-known/mta-sts.txt`,
    signal: new AbortController().signal,
  });
  await fetch.close();
  return { status: judgeMtaSts(NAME, answers, [`mx.${NAME}`]).status, asked };
}

for (const code of ['EHOSTUNREACH', 'ENETUNREACH', 'EMFILE', 'EADDRNOTAVAIL', 'ECONNRESET', 'ETIMEDOUT']) {
  t.test(`${code} says nothing about the policy`, async (t) => {
    t.strictSame(await verdictAfter(code, FOUND), { status: 'unknown', asked: [] });
  });
}

t.test('a server that refuses the connection is a failure of the policy', async (t) => {
  t.strictSame(await verdictAfter('ECONNREFUSED', FOUND), { status: 'failing', asked: [] });
});

t.test('a server that does not speak HTTP is one too', async (t) => {
  const server = await startSmtpScript((line) => (line.startsWith('GET') ? '220 mx.example.com\r\n' : ''));
  t.teardown(() => server.stop());
  t.match(await verdictAfter('', FOUND, `http://127.0.0.2:${server.port}/`), { status: 'failing' });
});

t.test('the resolver decides whether the name of the policy server is gone', async (t) => {
  const asked = [`mta-sts.${NAME}`];
  t.strictSame(await verdictAfter('ENOTFOUND', NONE), { status: 'failing', asked });
  t.strictSame(await verdictAfter('EAI_AGAIN', { kind: 'timeout' }), { status: 'unknown', asked });
  t.strictSame(await verdictAfter('ENOTFOUND', FOUND), { status: 'unknown', asked });
});

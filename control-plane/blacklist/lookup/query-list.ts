import type { Clock } from '../../../kernel/clock.js';
import type { Texts } from '../../../kernel/dns/answer.js';
import type { DnsClient, Timed } from '../../../kernel/dns/dns-client.js';
import { printable } from '../../printable.js';
import { type Classification, classify } from '../lists/classify.js';
import type { Catalogue, Provider } from '../lists/providers.js';
import type { ZoneState } from '../lists/zone-tests.js';

const REASON_CHARS_MAX = 300;
/** The maximum time to wait for the text of a listing after the listing itself. */
const TEXT_WAIT_MS = 1_000;

/** The result of querying a list for one address or name. */
export interface QueryResult extends Classification {
  tookMs: number;
}

/** Queries a list. The listing and its text are queried at the same time, so that a listing needs no second round trip. */
export async function queryList(
  needs: { catalogue: Catalogue; dns: DnsClient; clock: Clock },
  { provider, name, withinMs }: { provider: Provider; name: string; withinMs: number },
): Promise<QueryResult> {
  const texts = needs.dns.resolveTxt(name, { withinMs });
  const answer = await needs.dns.resolve4(name, { withinMs });
  const classification = classify(provider, answer);
  const reason = classification.status === 'listed' ? await textOf(texts, needs) : classification.reason;
  return { ...classification, reason, tookMs: answer.tookMs };
}

async function textOf(
  query: Promise<Timed<Texts>>,
  { catalogue, clock }: { catalogue: Catalogue; clock: Clock },
): Promise<string | null> {
  const found = await new Promise<Timed<Texts> | null>((resolve) => {
    const timer = clock.after(TEXT_WAIT_MS, () => resolve(null));
    query.then((texts) => {
      timer.cancel();
      resolve(texts);
    }, resolve);
  });
  if (found?.kind !== 'texts') return null;
  const text = printable(catalogue.withoutKeys([...new Set(found.texts)].sort().join(' ')), REASON_CHARS_MAX).trim();
  return text === '' ? null : text;
}

/** Returns the result as `invalid` if it is an answer of a list that fails its own tests. Pure. */
export function withoutFailingList<T extends Classification>(result: T, zone: ZoneState): T {
  const isAnswer = result.status === 'clean' || result.status === 'listed';
  if (zone.health !== 'failing' || !isAnswer) return result;
  const reason = `The list fails its own test, so its answer does not count. ${zone.reason ?? ''}`.trim();
  return { ...result, status: 'invalid', meanings: [], policy: false, reason };
}

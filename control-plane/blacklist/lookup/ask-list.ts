import type { Clock } from '../../../kernel/clock.js';
import { printable } from '../../printable.js';
import { classify, type Verdict } from '../lists/classify.js';
import type { Catalogue, Provider } from '../lists/providers.js';
import type { ZoneState } from '../lists/zone-tests.js';
import type { DnsClient, Looked, Texts } from './dns-client.js';

const REASON_CHARS_MAX = 300;
/** The text of a listing may come this much later than the listing. */
const TEXT_GRACE_MS = 1_000;

/** What a list says of one address or name. */
export interface Asked extends Verdict {
  tookMs: number;
}

/** Asks for the listing and its text at once, so that a listing costs no second round. */
export async function askList(
  deps: { catalogue: Catalogue; dns: DnsClient; clock: Clock },
  { provider, name, withinMs }: { provider: Provider; name: string; withinMs: number },
): Promise<Asked> {
  const texts = deps.dns.resolveTxt(name, { withinMs });
  const answer = await deps.dns.resolve4(name, { withinMs });
  const verdict = classify(provider, answer);
  const reason = verdict.status === 'listed' ? await textOf(texts, deps) : verdict.reason;
  return { ...verdict, reason, tookMs: answer.tookMs };
}

async function textOf(
  asked: Promise<Looked<Texts>>,
  { catalogue, clock }: { catalogue: Catalogue; clock: Clock },
): Promise<string | null> {
  const found = await new Promise<Looked<Texts> | null>((resolve) => {
    const timer = clock.after(TEXT_GRACE_MS, () => resolve(null));
    asked.then((texts) => {
      timer.cancel();
      resolve(texts);
    }, resolve);
  });
  if (found?.kind !== 'texts') return null;
  const text = printable(catalogue.withoutKeys([...new Set(found.texts)].sort().join(' ')), REASON_CHARS_MAX).trim();
  return text === '' ? null : text;
}

/** An answer of a list that fails its own tests is none, whatever it was. Pure. */
export function believed<T extends Verdict>(asked: T, zone: ZoneState): T {
  const isAnswer = asked.status === 'clean' || asked.status === 'listed';
  if (zone.health !== 'failing' || !isAnswer) return asked;
  const reason = `The list fails its own test, so its answer does not count. ${zone.reason ?? ''}`.trim();
  return { ...asked, status: 'invalid', meanings: [], policy: false, reason };
}

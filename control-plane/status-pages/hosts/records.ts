import type { Names, Texts } from '../../../kernel/dns/answer.js';
import type { DnsClient } from '../../../kernel/dns/dns-client.js';
import { aliasTarget, challengeName } from './host-name.js';

/** Records that are compared. A name with more was not set up for Picket. */
const RECORDS_MAX = 50;

/** What the DNS says about a host name. */
export interface HostRecords {
  /** The values of the TXT records of its challenge; null: the servers did not answer. */
  challenges: readonly string[] | null;
  /** Whether the name is an alias of the name of Picket; null: the servers did not answer. */
  isAlias: boolean | null;
}

export type ReadHostRecords = (name: string) => Promise<HostRecords>;

/** Returns a function that reads the records of a host name. It never rejects. */
export function createReadHostRecords(
  dns: Pick<DnsClient, 'resolveTxt' | 'resolveCname'>,
  publicUrl: string,
): ReadHostRecords {
  const target = aliasTarget(publicUrl);
  return async (name) => {
    const [texts, alias] = await Promise.all([
      dns.resolveTxt(challengeName(name)),
      target === null ? null : dns.resolveCname(name),
    ]);
    return { challenges: textsOf(texts), isAlias: alias === null ? false : leadsTo(alias, target) };
  };
}

function textsOf(answer: Texts): readonly string[] | null {
  if (answer.kind === 'texts') return answer.texts.slice(0, RECORDS_MAX);
  return answer.kind === 'none' ? [] : null;
}

function leadsTo(answer: Names, target: string | null): boolean | null {
  if (answer.kind === 'names') return answer.names.some((name) => name.toLowerCase().replace(/\.$/, '') === target);
  return answer.kind === 'none' ? false : null;
}

import type { Clock } from '../../../kernel/clock.js';
import type { DnsClient } from '../../../kernel/dns/dns-client.js';
import type { GuardedFetch } from '../../../kernel/guard/guarded-fetch.js';
import type { TargetGuard } from '../../../kernel/guard/target-guard.js';
import type { AreaName, AreaVerdict } from '../areas/area.js';
import { notNeeded } from '../areas/area.js';
import { judgeDkim, readDkim } from '../areas/dkim.js';
import { judgeDmarc, readDmarc } from '../areas/dmarc.js';
import { judgeMtaSts, type PolicyUrl, readMtaSts } from '../areas/mta-sts.js';
import { acceptsNoMail, areUnknown, judgeMx, type MailServers, readMailServers } from '../areas/mx.js';
import { judgeReverseDns, readReverseNames } from '../areas/reverse-dns.js';
import { judgeSpf, sendsNoMail } from '../areas/spf/spf.js';
import { walkSpf } from '../areas/spf/walk.js';
import { type AskStarttls, judgeStarttls, readStarttls } from '../areas/starttls.js';
import { judgeTlsRpt, readTlsRpt } from '../areas/tls-rpt.js';
import { createLookups } from './lookups.js';

export type Verdicts = Readonly<Record<AreaName, AreaVerdict>>;

export interface DomainCheck {
  checkedAtMs: number;
  verdicts: Verdicts;
}

/** Checks the mail settings of a domain. Writes nothing. */
export type CheckDomain = (
  domain: { name: string; dkim_selectors: readonly string[] },
  signal: AbortSignal,
) => Promise<DomainCheck>;

export interface CheckDomainNeeds {
  dns: DnsClient;
  guard: Pick<TargetGuard, 'refusal' | 'report'>;
  fetch: Pick<GuardedFetch, 'request'>;
  policyUrl: PolicyUrl;
  askStarttls: AskStarttls;
  clock: Clock;
}

export function createCheckDomain(needs: CheckDomainNeeds): CheckDomain {
  return async ({ name, dkim_selectors }, signal) => {
    const lookups = createLookups(needs.dns);
    const [mail, spf, dkim, dmarc, tlsRpt, mtaSts] = await Promise.all([
      readMailServers(name, lookups, needs.guard),
      walkSpf(name, lookups),
      readDkim(name, dkim_selectors, lookups),
      readDmarc(name, lookups),
      readTlsRpt(name, lookups),
      readMtaSts(name, { ...needs, lookups, signal }),
    ]);
    const [reverseNames, starttls] = await Promise.all([
      readReverseNames(mail, lookups),
      readStarttls(mail, needs.askStarttls, signal),
    ]);
    const hosts = areUnknown(mail) ? null : mail.servers.map(({ host }) => host);
    const sendsNothing = sendsNoMail(spf);
    const verdicts: Verdicts = {
      mx: judgeMx(name, mail),
      spf: judgeSpf(name, spf, hosts === null ? null : hosts.length > 0),
      dkim:
        sendsNothing && dkim_selectors.length === 0
          ? notNeeded(`DKIM is not needed: the SPF record of ${name} says that it sends no mail.`)
          : judgeDkim(name, dkim),
      dmarc: judgeDmarc(name, dmarc),
      mta_sts: receiving(name, mail, () => judgeMtaSts(name, mtaSts, hosts)),
      tls_rpt: receiving(name, mail, () => judgeTlsRpt(name, tlsRpt)),
      reverse_dns: receiving(name, mail, () => judgeReverseDns(name, mail, reverseNames)),
      starttls: receiving(name, mail, () => judgeStarttls(name, mail, starttls)),
    };
    return { checkedAtMs: needs.clock.now(), verdicts };
  };
}

/** Returns the verdict of an area about incoming mail. */
function receiving(name: string, mail: MailServers, judge: () => AreaVerdict): AreaVerdict {
  return acceptsNoMail(mail) ? notNeeded(`This is not needed: ${name} accepts no mail.`) : judge();
}

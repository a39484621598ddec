import { useQuery } from '@tanstack/react-query';
import type { MonitoredDomain } from '../../../api/types.ts';
import { Time } from '../../../components/time/time.tsx';
import { texts } from '../../../texts/app/texts.ts';
import { domainOfQuery } from './queries.ts';
import { words } from './texts/texts.ts';

const EXPIRES_SOON_DAYS = 30;
const CRITICAL_DAYS = 3;

/** The registered domain of the monitor, and when it expires. */
export function DomainPanel({ id }: { id: string }) {
  const { data: domain } = useQuery(domainOfQuery(id));
  if (domain === undefined || domain === null) return null;
  const text = words.domain;
  const { name, registrar, checked_at: checkedAt } = domain;
  return (
    <section className="panel">
      <h2>{text.title}</h2>
      <dl className="facts">
        <dt>{text.name}</dt>
        <dd className="strong">
          <bdi>{name}</bdi>
        </dd>
        <dt>{text.expires}</dt>
        <dd>
          <Expiry domain={domain} />
        </dd>
        {registrar === null ? null : (
          <>
            <dt>{text.registrar}</dt>
            <dd>
              <bdi>{registrar}</bdi>
            </dd>
          </>
        )}
        {checkedAt === null ? null : (
          <>
            <dt>{text.checked}</dt>
            <dd>
              <Time at={checkedAt} />
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}

function Expiry({ domain }: { domain: MonitoredDomain }) {
  const { status, expires_at: expiresAt, days_remaining: days, checked_at: checkedAt } = domain;
  const why = status === 'known' ? null : words.domain.statuses[status];
  if (expiresAt === null || days === null) return <span className="soft">{why}</span>;
  const tone = days < CRITICAL_DAYS ? 'tone-down' : days < EXPIRES_SOON_DAYS ? 'tone-warning' : '';
  const { left, ago } = words.certificate;
  return (
    <>
      <span className={tone}>{days < 0 ? ago(-days) : left(texts.monitors.days(days))}</span>, <Time at={expiresAt} />
      {isUnconfirmed(domain) && checkedAt !== null ? (
        <>
          , {words.domain.asOf} <Time at={checkedAt} />
        </>
      ) : null}
      {why === null ? null : <p className="soft">{why}</p>}
    </>
  );
}

/** Whether the registry has not been able to say for days that the date still holds. */
function isUnconfirmed({ status }: MonitoredDomain): boolean {
  return status === 'unreachable' || status === 'unsupported';
}

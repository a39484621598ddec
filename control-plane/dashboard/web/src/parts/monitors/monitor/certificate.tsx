import type { Monitor } from '../../../api/types.ts';
import { Time } from '../../../components/time/time.tsx';
import { texts } from '../../../texts/app/texts.ts';
import { useCity } from '../location-list.tsx';
import { words } from './texts/texts.ts';

const EXPIRES_SOON_DAYS = 14;

/** The certificate that the target has, and what the locations object to. */
export function CertificatePanel({ monitor }: { monitor: Monitor }) {
  const city = useCity();
  const problems = monitor.location_status.filter(({ error }) => error?.code.startsWith('tls_') === true);
  const { ssl } = monitor;
  if (ssl === null && problems.length === 0) return null;
  const text = words.certificate;
  return (
    <section className="panel">
      <h2>{texts.monitor.certificate}</h2>
      {problems.map(({ location, error }) => (
        <p key={location} className="tone-down wrap">
          {text.problem(city(location), error?.message ?? '')}
        </p>
      ))}
      {ssl === null ? null : <CertificateFacts ssl={ssl} />}
    </section>
  );
}

function CertificateFacts({ ssl }: { ssl: NonNullable<Monitor['ssl']> }) {
  const text = words.certificate;
  const { days_remaining: days } = ssl;
  const tone = days < 0 ? 'tone-down' : days <= EXPIRES_SOON_DAYS ? 'tone-warning' : '';
  return (
    <dl className="facts">
      <dt>{text.grade}</dt>
      <dd className="strong">{ssl.grade}</dd>
      <dt>{text.expires}</dt>
      <dd>
        <span className={tone}>{days < 0 ? text.ago(-days) : text.left(texts.monitors.days(days))}</span>,{' '}
        <Time at={ssl.expiry} />
      </dd>
      <dt>{text.subject}</dt>
      <dd>
        <bdi>{ssl.subject}</bdi>
      </dd>
      <dt>{text.issuer}</dt>
      <dd>
        <bdi>{ssl.issuer}</bdi>
      </dd>
      <dt>{text.fingerprint}</dt>
      <dd className="mono soft">{ssl.fingerprint}</dd>
    </dl>
  );
}

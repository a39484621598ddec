import { useQuery } from '@tanstack/react-query';
import type { IncidentDetail } from '../../../api/types.ts';
import { Said } from '../../../components/said.tsx';
import { Mark, type State } from '../../../components/status-mark.tsx';
import { SecondTime } from '../../../components/time/time.tsx';
import { texts } from '../../../texts/app/texts.ts';
import { deliveryErrorText } from '../../../texts/delivery-errors/delivery-error.ts';
import { channelsQuery } from '../../channels/queries.ts';
import { texts as own } from '../texts/texts.ts';
import { attemptsToShow } from './attempts.ts';

type Sent = IncidentDetail['notifications_sent'][number];

const MARKS: Record<Sent['status'], State> = {
  sent: 'up',
  failed: 'down',
  pending: 'unknown',
  skipped: 'paused',
  unconfirmed: 'paused',
};

/** To whom the incident was sent, with each attempt. */
export function Notifications({ sent }: { sent: readonly Sent[] }) {
  return (
    <section className="panel">
      <h2>{texts.incident.notifications}</h2>
      {sent.length === 0 ? <p className="soft">{texts.incident.noNotifications}</p> : null}
      <ul className="rows" aria-label={texts.incident.notifications}>
        {sent.map((one) => (
          <Notification key={`${one.channel_id} ${one.event}`} sent={one} />
        ))}
      </ul>
    </section>
  );
}

function Notification({ sent }: { sent: Sent }) {
  const { channel, channel_id, event, status, attempts, sent_at, error, next_attempt_at: next } = sent;
  const channels = useQuery(channelsQuery).data;
  const name = channels?.rows.find(({ id }) => id === channel_id)?.name ?? channel;
  return (
    <li className="notification">
      <span className="vote-head">
        <strong className="wrap">
          <bdi>{name}</bdi>: {own.notified(event)}
        </strong>
        <Mark as={MARKS[status]} word={texts.incident.sendStatus[status]} quiet={false} />
      </span>
      {sent_at === null ? null : (
        <span className="soft">
          <Said words={(time) => own.accepted(time(sent_at, 'atSecond'))} />
        </span>
      )}
      {next === null ? null : (
        <span className="soft">
          <Said words={(time) => own.nextAttempt(time(next, 'atSecond'))} />
        </span>
      )}
      {error === null || sent.latest_attempts.length > 0 ? null : (
        <span className="wrap soft">{deliveryErrorText(error)}</span>
      )}
      <Attempts attempts={attempts} latest={attemptsToShow(sent)} />
    </li>
  );
}

/** The newest attempts, with what the receiver said. */
function Attempts({ attempts, latest }: { attempts: number; latest: Sent['latest_attempts'] }) {
  if (latest.length === 0) return null;
  return (
    <>
      {attempts > latest.length ? <span className="soft">{own.newestOf(latest.length, attempts)}</span> : null}
      <ol className="attempts">
        {latest.map(({ at, status, error }) => (
          <li key={at}>
            <SecondTime at={at} />{' '}
            <span className={status === 'failed' ? 'tone-down' : ''}>{texts.incident.sendStatus[status]}</span>
            {error === null ? null : <span className="row-detail wrap">{deliveryErrorText(error)}</span>}
          </li>
        ))}
      </ol>
    </>
  );
}

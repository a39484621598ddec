import type { Incident } from '../../api/types.ts';
import { SecondTime } from '../../components/time.tsx';
import { texts } from '../../texts/app/texts.ts';

/** To whom the incident was sent, with each attempt. */
export function Notifications({ sent }: { sent: Incident['notifications_sent'] }) {
  const { channel, event, status, attempts, sent: accepted } = texts.incident.columns;
  return (
    <section className="panel">
      <h2>{texts.incident.notifications}</h2>
      {sent.length === 0 ? (
        <p className="soft">{texts.incident.noNotifications}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        <section className="table-scroll" tabIndex={0} aria-label={texts.incident.notifications}>
          <table>
            <thead>
              <tr>
                {[channel, event, status, attempts, accepted].map((label) => (
                  <th key={label} scope="col">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {sent.map((one) => (
                <tr key={`${one.channel_id} ${one.event}`}>
                  <td>{one.channel}</td>
                  <td>{one.event}</td>
                  <td>
                    <span className={one.status === 'failed' ? 'tone-down' : ''}>
                      {texts.incident.sendStatus[one.status]}
                    </span>
                    {one.error === null ? null : <span className="row-detail wrap">{one.error}</span>}
                  </td>
                  <td>{one.attempts}</td>
                  <td>{one.sent_at === null ? '–' : <SecondTime at={one.sent_at} />}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  );
}

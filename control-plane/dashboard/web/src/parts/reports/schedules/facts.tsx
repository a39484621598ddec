import type { ReportSchedule } from '../../../api/types.ts';
import { useAccount } from '../../../app/account.ts';
import { FactList } from '../../../components/page/fact-list.tsx';
import { texts } from './texts/texts.ts';
import { whenOf } from './when.ts';
import { missingDayWords, whenWords } from './words.ts';

/** What a schedule sends when to whom. */
export function Facts({ schedule }: { schedule: ReportSchedule }) {
  const words = texts.facts;
  const { recipients, unconfirmed } = schedule;
  const rows = [
    [words.when, <When key="when" cron={schedule.cron} />],
    [words.timeZone, schedule.time_zone],
    [words.period, texts.periods[schedule.period]],
    [words.reportTitle, <bdi key="title">{schedule.title}</bdi>],
    [words.client, <bdi key="client">{schedule.client_name}</bdi>],
    [words.monitors, <bdi key="monitors">{monitorWords(schedule.monitors)}</bdi>],
    [
      words.recipients,
      <ul key="recipients">
        {recipients.map((address) => (
          <li key={address}>
            <bdi>{address}</bdi>
            {unconfirmed.includes(address) ? <span className="soft"> ({texts.notConfirmed})</span> : null}
          </li>
        ))}
      </ul>,
    ],
    [words.createdBy, <bdi key="by">{schedule.created_by}</bdi>],
  ] as const;
  return (
    <section className="panel" aria-labelledby="schedule-facts">
      <h2 id="schedule-facts">{words.title}</h2>
      <FactList facts={rows} />
    </section>
  );
}

function When({ cron }: { cron: string }) {
  const { kind, day } = whenOf(cron);
  const missing = kind === 'month' ? missingDayWords(day) : null;
  return (
    <>
      {whenWords(cron)}
      {missing === null ? null : <span className="row-detail">{missing}</span>}
    </>
  );
}

function monitorWords(monitors: ReportSchedule['monitors']): string {
  if (monitors === null) return texts.allMonitors;
  const { ids, tags } = monitors;
  return ids.length + tags.length === 0 ? texts.noMonitors : texts.someMonitors(ids.length, tags);
}

/** Why some recipients get nothing yet. */
export function Unconfirmed({ schedule: { unconfirmed } }: { schedule: ReportSchedule }) {
  const { sends_email: sendsEmail } = useAccount();
  if (!sendsEmail) return <p className="note warning">{texts.noMailHelp}</p>;
  if (unconfirmed.length === 0) return null;
  return (
    <section className="note warning" aria-labelledby="schedule-unconfirmed">
      <h2 id="schedule-unconfirmed">{texts.unconfirmed}</h2>
      <ul className="bullets">
        {unconfirmed.map((address) => (
          <li key={address}>
            <bdi>{address}</bdi>
          </li>
        ))}
      </ul>
      <p>{texts.unconfirmedHelp}</p>
    </section>
  );
}

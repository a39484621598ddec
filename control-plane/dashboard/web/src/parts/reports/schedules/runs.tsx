import { useInfiniteQuery } from '@tanstack/react-query';
import { apiUrl } from '../../../api/client.ts';
import { apiPath } from '../../../api/path.ts';
import type { ReportScheduleRun } from '../../../api/types.ts';
import { MoreButton } from '../../../components/more-button.tsx';
import { UnreadPart } from '../../../components/page/unread-page.tsx';
import { Mark } from '../../../components/status-mark.tsx';
import { Day, Time } from '../../../components/time/time.tsx';
import { runsQuery } from './queries.ts';
import { texts } from './texts/texts.ts';
import { outcomeOf } from './words.ts';

const MINUTE_MS = 60_000;
/** More are behind a line that opens them. */
const RECIPIENTS_SHOWN = 3;

/** What a schedule has sent to whom, newest first. */
export function Runs({ id }: { id: string }) {
  const list = useInfiniteQuery(runsQuery(id));
  if (list.data === undefined) return <UnreadPart error={list.error} retry={() => void list.refetch()} />;
  const runs = list.data.pages.flatMap(({ data }) => data);
  return (
    <section className="panel" aria-labelledby="schedule-runs">
      <h2 id="schedule-runs">{texts.runs.title}</h2>
      {runs.length === 0 ? <p className="soft">{texts.runs.none}</p> : null}
      <ul className="rows">
        {runs.map((run) => (
          <RunRow key={run.occurrence} run={run} />
        ))}
      </ul>
      <MoreButton list={list} label={texts.runs.older} />
    </section>
  );
}

function RunRow({ run }: { run: ReportScheduleRun }) {
  const { mark, words } = outcomeOf(run);
  return (
    <li className="schedule-run">
      <p className="schedule-run-head">
        <span className="strong">
          <Time at={run.occurrence} />
        </span>
        <Mark as={mark} word={words} quiet={false} />
      </p>
      <p className="row-detail wrap">
        {texts.runs.about} <Day at={run.period.from} /> – <Day at={lastMoment(run.period.to)} />
        {run.report_id === null || run.status !== 'sent' ? null : (
          <>
            {' · '}
            <a href={apiUrl(apiPath`/api/v1/client-reports/${run.report_id}/preview`)} target="_blank" rel="noopener">
              {texts.runs.open}
            </a>
          </>
        )}
      </p>
      {run.reason === null ? null : <p className="wrap">{run.reason}</p>}
      {run.missed === 0 ? null : <p className="row-detail wrap">{texts.runs.missed(run.missed)}</p>}
      <Recipients recipients={run.recipients} />
    </li>
  );
}

/** A period that ends at midnight ends with the day before. */
const lastMoment = (to: string): string => new Date(Date.parse(to) - MINUTE_MS).toISOString();

function Recipients({ recipients }: Pick<ReportScheduleRun, 'recipients'>) {
  if (recipients.length === 0) return null;
  const rows = (
    <ul className="schedule-recipients">
      {recipients.map(({ email, status, sent_at: at }) => (
        <li key={email}>
          <bdi className="wrap">{email}</bdi>
          <span className={status === 'failed' ? 'row-detail tone-down' : 'row-detail'}>
            {texts.runs.status[status]}
            {at === null ? null : (
              <>
                {' '}
                <Time at={at} />
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
  if (recipients.length <= RECIPIENTS_SHOWN) return rows;
  return (
    <details>
      <summary>{texts.runs.recipients(recipients.length)}</summary>
      {rows}
    </details>
  );
}

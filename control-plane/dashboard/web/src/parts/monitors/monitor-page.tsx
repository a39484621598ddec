import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { ApiProblem } from '../../api/client.ts';
import { monitorQuery } from '../../api/queries.ts';
import type { Monitor } from '../../api/types.ts';
import { useMayWrite } from '../../app/account.ts';
import { PageHead } from '../../components/page-head.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { PageSkeleton } from '../../components/skeleton.tsx';
import { StatusMark } from '../../components/status-mark.tsx';
import { useNow } from '../../components/time.tsx';
import { texts } from '../../texts/app/texts.ts';
import { duration, shortTime } from '../../texts/format.ts';
import { LocationList } from './location-list.tsx';
import { MonitorActions } from './monitor/actions.tsx';
import { CertificatePanel, UptimePanel } from './monitor/figures.tsx';
import { MonitorIncidents } from './monitor/incidents.tsx';
import { Results } from './monitor/results.tsx';
import { Settings } from './monitor/settings.tsx';
import { stateOf } from './state-of.ts';
import './monitor/monitor.css';

export function MonitorPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const { data: monitor, error, refetch } = useQuery(monitorQuery(id));
  const mayWrite = useMayWrite();
  if (monitor === undefined) {
    if (error instanceof ApiProblem && (error.status === 404 || error.status === 422)) return <Gone />;
    return error === null ? <PageSkeleton /> : <ProblemNote error={error} retry={() => void refetch()} />;
  }
  const state = stateOf(monitor);
  return (
    <>
      <PageHead
        title={monitor.name}
        mark={<StatusMark state={state} quiet />}
        sentence={<Sentence monitor={monitor} />}
        tone={state === 'down' ? 'down' : 'idle'}
        actions={mayWrite ? <MonitorActions monitor={monitor} /> : undefined}
      />
      {monitor.limited_by_plan === null ? null : <p className="note">{texts.monitor.limited}</p>}
      <div className="stack">
        <UptimePanel monitor={monitor} />
        <div className="columns">
          <section className="panel">
            <h2>{texts.monitor.locations}</h2>
            <LocationList monitor={monitor} />
          </section>
          <div className="stack">
            <CertificatePanel ssl={monitor.ssl} />
            <MonitorIncidents id={monitor.id} />
          </div>
        </div>
        <Results id={monitor.id} />
        <Settings monitor={monitor} />
      </div>
    </>
  );
}

function Sentence({ monitor }: { monitor: Monitor }) {
  const now = useNow();
  const since = monitor.paused_at ?? monitor.status_changed_at;
  const state = texts.monitor.sentence;
  const lasted = duration(now - Date.parse(since));
  const status = stateOf(monitor);
  const first =
    status === 'unknown'
      ? state.unknown
      : status === 'paused'
        ? state.paused(shortTime(since, now))
        : state[status](shortTime(since, now), lasted);
  if (monitor.last_checked_at === null || status === 'paused') return first;
  const ago = duration(now - Date.parse(monitor.last_checked_at));
  return (
    <>
      {first}{' '}
      <span className="soft">
        {texts.monitor.checked(ago, texts.seconds(monitor.interval_seconds), monitor.locations.length)}
      </span>
    </>
  );
}

function Gone() {
  return (
    <>
      <PageHead title={texts.notFound.title} />
      <section className="panel empty">
        <p>{texts.monitor.notFound}</p>
      </section>
    </>
  );
}

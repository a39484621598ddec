import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { ApiProblem } from '../../api/client.ts';
import { monitorQuery } from '../../api/queries.ts';
import { useMayWrite } from '../../app/account.ts';
import { PageHead } from '../../components/page-head.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { PageSkeleton } from '../../components/skeleton.tsx';
import { StatusMark } from '../../components/status-mark.tsx';
import { texts } from '../../texts/app/texts.ts';
import { Gone } from './gone.tsx';
import { MonitorActions } from './monitor/actions.tsx';
import { BacktestPanel } from './monitor/backtest/backtest.tsx';
import { CertificatePanel } from './monitor/certificate.tsx';
import { UptimePanel } from './monitor/figures.tsx';
import { MonitorIncidents } from './monitor/incidents.tsx';
import { Locations } from './monitor/locations.tsx';
import { ResponseChart } from './monitor/response-chart.tsx';
import { Results } from './monitor/results.tsx';
import { Sentence } from './monitor/sentence.tsx';
import { Settings } from './monitor/settings.tsx';
import { UptimeDays } from './monitor/uptime-days.tsx';
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
        <ResponseChart monitor={monitor} />
        <UptimePanel monitor={monitor} />
        <UptimeDays id={monitor.id} />
        <div className="columns">
          <Locations monitor={monitor} />
          <div className="stack">
            <CertificatePanel monitor={monitor} />
            <MonitorIncidents id={monitor.id} />
          </div>
        </div>
        <Results id={monitor.id} />
        <BacktestPanel monitor={monitor} />
        <Settings monitor={monitor} />
      </div>
    </>
  );
}

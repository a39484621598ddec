import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { apiPath } from '../../api/path.ts';
import { monitorQuery } from '../../api/queries.ts';
import { useMayWrite } from '../../app/account.ts';
import { editOf, useForgotten } from '../../components/form/use-draft.ts';
import { PageHead } from '../../components/page/page-head.tsx';
import { UnreadPage } from '../../components/page/unread-page.tsx';
import { StatusMark } from '../../components/status-mark.tsx';
import { texts } from '../../texts/app/texts.ts';
import { DependsOn } from '../dependencies/depends-on.tsx';
import { UnderMaintenance } from '../maintenance/under-maintenance.tsx';
import { OnStatusPages } from '../status-pages/on-status-pages.tsx';
import { DeletedChannels } from './channels/deleted-channels.tsx';
import { Gone } from './gone.tsx';
import { MonitorActions } from './monitor/actions.tsx';
import { BacktestPanel } from './monitor/backtest/backtest.tsx';
import { CertificatePanel } from './monitor/certificate.tsx';
import { DomainPanel } from './monitor/domain.tsx';
import { UptimePanel } from './monitor/figures.tsx';
import { MonitorIncidents } from './monitor/incidents.tsx';
import { Locations } from './monitor/locations/locations.tsx';
import { ResponseChart } from './monitor/response-chart.tsx';
import { Results } from './monitor/results.tsx';
import { Sections } from './monitor/sections.tsx';
import { Sentence } from './monitor/sentence.tsx';
import { Settings } from './monitor/settings.tsx';
import { UptimeDays } from './monitor/uptime-days.tsx';
import { stateOf } from './state-of.ts';
import './monitor/monitor.css';

export function MonitorPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const { data: monitor, error, refetch } = useQuery(monitorQuery(id));
  const mayWrite = useMayWrite();
  const path = apiPath`/v1/monitors/${id}`;
  useForgotten(mayWrite ? null : editOf(path));
  if (monitor === undefined) {
    return <UnreadPage key={id} error={error} retry={() => void refetch()} gone={<Gone path={path} />} />;
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
      <UnderMaintenance of="monitor" id={monitor.id} tags={monitor.tags} />
      <OnStatusPages of="monitor" id={monitor.id} tags={monitor.tags} />
      <DeletedChannels monitor={monitor} />
      <Sections />
      <div className="stack">
        <ResponseChart monitor={monitor} />
        <UptimePanel monitor={monitor} />
        <UptimeDays id={monitor.id} />
        <div className="columns">
          <Locations monitor={monitor} />
          <div className="stack">
            <CertificatePanel monitor={monitor} />
            <DomainPanel id={monitor.id} />
            <MonitorIncidents id={monitor.id} />
            <DependsOn key={monitor.id} id={monitor.id} mayWrite={mayWrite} />
          </div>
        </div>
        <BacktestPanel key={monitor.id} monitor={monitor} />
        <Settings monitor={monitor} />
        <Results id={monitor.id} />
      </div>
    </>
  );
}

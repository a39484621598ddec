import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { MaintenanceWindow } from '../../api/types.ts';
import { useMayWrite } from '../../app/account.ts';
import { PageHead } from '../../components/page/page-head.tsx';
import { UnreadPage } from '../../components/page/unread-page.tsx';
import { Said } from '../../components/said.tsx';
import { CalendarFeeds } from './calendar-feeds.tsx';
import { windowsQuery } from './queries.ts';
import { stateSentence, targetsSentence } from './sentence.ts';
import { StateMark } from './state-mark.tsx';
import { texts } from './texts/texts.ts';
import './maintenance.css';

const STATES = ['active', 'scheduled', 'ended'] as const;

export function MaintenancePage() {
  const { data, error, refetch } = useQuery(windowsQuery);
  const mayWrite = useMayWrite();
  if (data === undefined) {
    return <UnreadPage error={error} retry={() => void refetch()} />;
  }
  const add = (
    <Button component={Link} to="/maintenance/new">
      {texts.add}
    </Button>
  );
  const active = data.rows.filter(({ state }) => state === 'active').length;
  return (
    <>
      <PageHead
        title={texts.title}
        sentence={active === 0 ? texts.noneActive : texts.active(active)}
        actions={mayWrite && data.rows.length > 0 ? add : undefined}
      />
      {data.rows.length === 0 ? (
        <section className="panel empty">
          <p>{texts.empty}</p>
          {mayWrite ? add : null}
        </section>
      ) : (
        <div className="stack">
          {STATES.map((state) => (
            <Group key={state} state={state} rows={data.rows.filter((row) => row.state === state)} />
          ))}
        </div>
      )}
      {mayWrite && data.rows.length > 0 ? <CalendarFeeds /> : null}
    </>
  );
}

function Group({ state, rows }: { state: MaintenanceWindow['state']; rows: readonly MaintenanceWindow[] }) {
  if (rows.length === 0) return null;
  return (
    <section className="panel" aria-labelledby={`maintenance-${state}`}>
      <h2 id={`maintenance-${state}`}>{texts.groups[state]}</h2>
      <ul className="rows">
        {rows.map((window) => (
          <li key={window.id} className="maintenance-window">
            <StateMark state={window.state} />
            <div className="row-main">
              <Link to={`/maintenance/${window.id}`} className="two-lines strong">
                <bdi>{window.name}</bdi>
              </Link>
              <span className="row-detail wrap">
                <Said words={stateSentence(window)} /> {targetsSentence(window)}
              </span>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

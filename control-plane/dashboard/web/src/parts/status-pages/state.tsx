import { useQuery } from '@tanstack/react-query';
import type { StatusPage } from '../../api/types.ts';
import { Mark, type State } from '../../components/status-mark.tsx';
import { type ComponentState, type PageState, publicStateQuery } from './queries.ts';
import { texts } from './texts/texts.ts';

const SHAPES: Readonly<Record<ComponentState | PageState, State>> = {
  operational: 'up',
  maintenance: 'info',
  not_known: 'unknown',
  empty: 'unknown',
  degraded: 'degraded',
  partial_outage: 'degraded',
  outage: 'down',
  major_outage: 'down',
};

/** The overall state of a page, as visitors see it. */
export function PageMark({ page, quiet }: { page: StatusPage; quiet: boolean }) {
  const { data } = useQuery(publicStateQuery(page));
  if (page.visibility === 'password') return quiet ? null : <span className="soft">{texts.stateHidden}</span>;
  if (data == null) return quiet ? null : <span className="soft">…</span>;
  return <Mark as={SHAPES[data.status.state]} word={texts.overall[data.status.state]} quiet={quiet} />;
}

/** The state of a component, as visitors see it. */
export function ComponentMark({ state }: { state: ComponentState }) {
  return <Mark as={SHAPES[state]} word={texts.states[state]} quiet={false} />;
}

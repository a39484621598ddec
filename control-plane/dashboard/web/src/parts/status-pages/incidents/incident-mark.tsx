import type { StatusPageIncident } from '../../../api/types.ts';
import { Mark } from '../../../components/status-mark.tsx';
import { texts } from '../texts/texts.ts';

const SHAPES = { investigating: 'down', identified: 'degraded', monitoring: 'info', resolved: 'up' } as const;

export function IncidentMark({ state }: Pick<StatusPageIncident, 'state'>) {
  return <Mark as={SHAPES[state]} word={texts.incidents.states[state]} quiet={false} />;
}

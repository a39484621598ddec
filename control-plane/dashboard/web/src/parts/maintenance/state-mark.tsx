import type { MaintenanceWindow } from '../../api/types.ts';
import { Mark } from '../../components/status-mark.tsx';
import { texts } from './texts/texts.ts';

const SHAPES = { active: 'silenced', scheduled: 'info', ended: 'acknowledged' } as const;

export function StateMark({ state }: Pick<MaintenanceWindow, 'state'>) {
  return <Mark as={SHAPES[state]} word={texts.states[state]} quiet={false} />;
}

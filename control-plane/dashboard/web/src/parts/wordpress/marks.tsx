import type { SiteCheck } from '../../api/types.ts';
import { Mark } from '../../components/status-mark.tsx';
import { texts } from './texts/texts.ts';

const SHAPES = { passing: 'up', failing: 'down', unknown: 'unknown' } as const;

export function CheckMark({ status, quiet = false }: { status: SiteCheck['status']; quiet?: boolean }) {
  return <Mark as={SHAPES[status]} word={texts.status[status]} quiet={quiet} />;
}

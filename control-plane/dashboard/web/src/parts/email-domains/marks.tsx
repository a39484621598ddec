import type { EmailDomainArea } from '../../api/types.ts';
import { Mark } from '../../components/status-mark.tsx';
import { texts } from './texts/texts.ts';

const SHAPES = {
  passing: 'up',
  warning: 'warning',
  failing: 'down',
  unknown: 'unknown',
  not_measured: 'unknown',
} as const;

export function AreaMark({ status, quiet = false }: { status: EmailDomainArea['status']; quiet?: boolean }) {
  return <Mark as={SHAPES[status]} word={texts.status[status]} quiet={quiet} />;
}

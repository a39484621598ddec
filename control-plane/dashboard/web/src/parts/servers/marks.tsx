import type { Server } from '../../api/types.ts';
import { Mark } from '../../components/status-mark.tsx';
import { texts } from './texts/texts.ts';

const SHAPES = { online: 'up', offline: 'down', pending: 'unknown' } as const;

/** The status of a server. */
export function ServerMark({ status, quiet }: { status: Server['status']; quiet: boolean }) {
  return <Mark as={SHAPES[status]} word={texts.status[status]} quiet={quiet} />;
}

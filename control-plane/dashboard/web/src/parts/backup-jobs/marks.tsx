import type { BackupJob, BackupRun } from '../../api/types.ts';
import { Mark } from '../../components/status-mark.tsx';
import { texts } from './texts/texts.ts';

const JOBS = { new: 'unknown', ok: 'up', failing: 'down', disabled: 'paused' } as const;
const RUNS = { running: 'info', succeeded: 'up', failed: 'down', missed: 'down', unknown: 'unknown' } as const;

export function JobMark({ status, quiet = false }: { status: BackupJob['status']; quiet?: boolean }) {
  return <Mark as={JOBS[status]} word={texts.status[status]} quiet={quiet} />;
}

export function RunMark({ status }: { status: BackupRun['status'] }) {
  return <Mark as={RUNS[status]} word={texts.runs.status[status]} quiet={false} />;
}

import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { BulkChange } from '../../../api/types.ts';
import { changeQuery, isRunning } from './queries.ts';
import { texts } from './texts/texts.ts';

/** How far a change is. It goes on when this is closed. */
export function Progress({ started, close }: { started: BulkChange; close(): void }) {
  const change = useQuery(changeQuery(started.id)).data ?? started;
  const { done, total, operation, skipped } = change;
  return (
    <div className="stack">
      <p role="status" className="strong">
        {isRunning(change) ? texts.progress.working(done, total) : texts.progress.done[operation](total - skipped)}
      </p>
      <progress className="bulk-progress" value={done} max={Math.max(1, total)} aria-label={texts.titles[operation]} />
      <p className="soft">{isRunning(change) ? texts.progress.leave : texts.preview.undoable}</p>
      <div className="page-actions">
        <Button onClick={close}>{texts.progress.close}</Button>
        <Button variant="default" component={Link} to="/monitors/changes">
          {texts.history}
        </Button>
      </div>
    </div>
  );
}

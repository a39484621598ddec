import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { BulkChange } from '../../../../api/types.ts';
import { texts } from '../texts/texts.ts';
import { Exceptions } from './exceptions.tsx';
import { leftOutOf, outcomeOf } from './outcome.ts';
import { ProgressBar } from './progress-bar.tsx';
import { changeQuery, isRunning } from './queries.ts';

/** How far an addition is, and what became of it. It goes on when somebody leaves. */
export function Progress({ started }: { started: BulkChange }) {
  const change = useQuery(changeQuery(started.id)).data ?? started;
  const isUndoable = change.undo_until !== null;
  return (
    <div className="stack">
      <p role="status" className="strong wrap">
        {[outcomeOf(change), ...leftOutOf(change)].join(' ')}
      </p>
      {isRunning(change) ? (
        <>
          <ProgressBar change={change} />
          <p className="soft">{texts.progress.leave}</p>
        </>
      ) : null}
      <Exceptions change={change} />
      {isUndoable ? <p className="soft">{texts.preview.undoable}</p> : null}
      <div className="page-actions">
        <Button component={Link} to="/monitors">
          {texts.progress.toMonitors}
        </Button>
        <Button variant="default" component={Link} to="/monitors/changes">
          {texts.history}
        </Button>
      </div>
    </div>
  );
}

import type { BulkChange } from '../../../../api/types.ts';
import { useMayWrite } from '../../../../app/account.ts';
import { Said } from '../../../../components/said.tsx';
import { Time } from '../../../../components/time/time.tsx';
import { groupWords } from '../change-words.ts';
import { Exceptions } from '../job/exceptions.tsx';
import { doneOf, leftOutOf, outcomeOf } from '../job/outcome.ts';
import { ProgressBar } from '../job/progress-bar.tsx';
import { isRunning } from '../job/queries.ts';
import { UndoButton } from '../job/undo-button.tsx';
import { texts } from '../texts/texts.ts';
import { useNames } from '../use-names.ts';

const GROUPS_SHOWN = 3;

/** One bulk change: what it did, what has become of it, and the way back. */
export function Change({ change }: { change: BulkChange }) {
  const mayWrite = useMayWrite();
  const valueNames = useNames();
  const { operation, state, total, names, groups, requested_by: by, requested_at: at } = change;
  const isUndone = state === 'undoing' || state === 'undone';
  return (
    <div className="bulk-change">
      <div className="row-main">
        <p className="strong wrap">{isUndone ? doneOf(change) : outcomeOf(change)}</p>
        {isUndone ? <p className="wrap">{outcomeOf(change)}</p> : null}
        {leftOutOf(change).map((sentence) => (
          <p key={sentence} className="wrap">
            {sentence}
          </p>
        ))}
        <Exceptions change={change} />
        {total > 1 && names.length > 0 ? (
          <p className="row-detail wrap">{texts.list.named(names, total - names.length)}</p>
        ) : null}
        {groups.slice(0, GROUPS_SHOWN).map((group) => (
          <p key={JSON.stringify([group.field, group.from, group.to])} className="row-detail wrap">
            {groupWords(operation, group, valueNames)}
          </p>
        ))}
        <p className="row-detail wrap">
          <Time at={at} /> {texts.list.by(by)} <Undo change={change} />
        </p>
        {isRunning(change) ? <ProgressBar change={change} /> : null}
      </div>
      {mayWrite && change.undo_until !== null ? (
        <div className="bulk-undo">
          <UndoButton change={change} />
        </div>
      ) : null}
    </div>
  );
}

/** Whether it can be undone, and until when. */
function Undo({ change: { state, undo_until: until, undone_by: undoneBy } }: { change: BulkChange }) {
  if (state === 'applying') return null;
  if (state === 'undoing') return <>· {texts.list.undoingBy(undoneBy ?? '')}</>;
  if (state === 'undone') return <>· {texts.list.undoneBy(undoneBy ?? '')}</>;
  if (until === null) return <>· {texts.list.over}</>;
  return (
    <>
      · <Said words={(time) => texts.list.until(time(until))} />
    </>
  );
}

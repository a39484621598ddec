import { useEffect, useState } from 'react';
import type { BulkRequest } from '../../../api/types.ts';
import { Dialog } from '../../../components/dialog.tsx';
import type { Selection } from '../list/selection.ts';
import type { BulkAction } from './bulk-action.ts';
import { EditForm } from './form/edit-form.tsx';
import type { Edited } from './form/edited.ts';
import { countIn, type Operation, requestOf } from './form/order.ts';
import { TagForm } from './form/tag-form.tsx';
import { Preview } from './preview.tsx';
import { texts } from './texts/texts.ts';

interface BulkDialogProps {
  action: BulkAction;
  selection: Selection;
  /** How many monitors are selected. */
  count: number;
  close(): void;
}

/** From the choice of what to do to what it would change. Applying it closes the dialog: the page says what becomes of it. */
export function BulkDialog({ action, selection, count, close }: BulkDialogProps) {
  // The list behind the dialog goes on living, but what is shown and applied stays what was selected.
  const [selected] = useState(selection);
  const [selectedCount] = useState(count);
  const [isOpen, setOpen] = useState(true);
  const isChosen = action === 'pause' || action === 'resume' || action === 'delete';
  const [request, setRequest] = useState<BulkRequest | null>(
    isChosen ? requestOf({ operation: action }, selected) : null,
  );
  const [edited, setEdited] = useState<Edited>({});
  // The dialog gives the focus back before it goes.
  useEffect(() => {
    if (!isOpen) close();
  }, [isOpen, close]);
  const choose = (operation: Operation) => setRequest(requestOf(operation, selected));
  const end = () => setOpen(false);
  const shown = request === null ? selectedCount : countIn(request, selected, selectedCount);
  return (
    <Dialog title={texts.dialogs[action](shown)} isOpen={isOpen} close={end}>
      <div className="bulk-dialog">
        {request !== null ? (
          <Preview
            {...{ request, change: setRequest, close: end }}
            back={isChosen ? null : () => setRequest(null)}
            begun={end}
          />
        ) : action === 'tag' ? (
          <TagForm choose={choose} cancel={end} />
        ) : (
          <EditForm
            start={edited}
            choose={(operation, chosen) => {
              setEdited(chosen);
              choose(operation);
            }}
            cancel={end}
          />
        )}
      </div>
    </Dialog>
  );
}

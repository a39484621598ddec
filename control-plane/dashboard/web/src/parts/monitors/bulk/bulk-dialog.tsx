import { useState } from 'react';
import type { BulkRequest } from '../../../api/types.ts';
import { Dialog } from '../../../components/dialog.tsx';
import type { Selection } from '../list/selection.ts';
import type { BulkAction } from './bulk-action.ts';
import { EditForm } from './edit-form.tsx';
import { type Operation, requestOf } from './order.ts';
import { Preview } from './preview.tsx';
import { TagForm } from './tag-form.tsx';
import { texts } from './texts/texts.ts';

interface BulkDialogProps {
  action: BulkAction;
  selection: Selection;
  close(): void;
}

/** From the choice of what to do, over what it would change, to its progress. */
export function BulkDialog({ action, selection, close }: BulkDialogProps) {
  // The list behind the dialog goes on living, but what is shown and applied stays what was selected.
  const [selected] = useState(selection);
  const isChosen = action === 'pause' || action === 'resume' || action === 'delete';
  const [request, setRequest] = useState<BulkRequest | null>(
    isChosen ? requestOf({ operation: action }, selected) : null,
  );
  const choose = (operation: Operation) => setRequest(requestOf(operation, selected));
  const title = texts.titles[request?.operation ?? (action === 'tag' ? 'add_tags' : 'set')];
  return (
    <Dialog title={title} isOpen close={close}>
      <div className="bulk-dialog">
        {request !== null ? (
          <Preview request={request} back={isChosen ? null : () => setRequest(null)} close={close} />
        ) : action === 'tag' ? (
          <TagForm choose={choose} />
        ) : (
          <EditForm choose={choose} />
        )}
      </div>
    </Dialog>
  );
}

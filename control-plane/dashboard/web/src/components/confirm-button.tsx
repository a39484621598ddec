import { Button, type ButtonProps } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { texts } from '../texts/app/texts.ts';
import { Dialog } from './dialog.tsx';
import { ActionProblem } from './problem-note.tsx';

interface ConfirmButtonProps {
  /** The verb, on the button and in the dialog. */
  label: ReactNode;
  /** On the button of the dialog, if it does more than `label` says. */
  confirmLabel?: ReactNode;
  /** Names the object: "Delete Shop?" */
  title: string;
  /** Says what is lost. */
  children: ReactNode;
  action: { mutate(): void; isPending: boolean; error: unknown };
  variant?: ButtonProps['variant'];
}

/** A button for what cannot be undone: it asks first. What can be undone is done at once and offers the way back. */
export function ConfirmButton({
  label,
  confirmLabel = label,
  title,
  children,
  action,
  variant = 'default',
}: ConfirmButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant={variant} className={variant === 'default' ? 'for-good' : ''} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Dialog title={title} isOpen={isOpen} close={() => setOpen(false)}>
        <div>{children}</div>
        <ActionProblem error={action.error} />
        <div className="page-actions">
          <Button color="red" onClick={() => action.mutate()} loading={action.isPending}>
            {confirmLabel}
          </Button>
          <Button variant="default" onClick={() => setOpen(false)}>
            {texts.dialog.cancel}
          </Button>
        </div>
      </Dialog>
    </>
  );
}

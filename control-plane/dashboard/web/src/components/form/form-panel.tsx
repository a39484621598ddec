import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { texts } from '../../texts/app/texts.ts';
import { ActionProblem } from '../problem-note.tsx';
import { CancelLink } from './cancel-link.tsx';
import './form-panel.css';

interface FormPanelProps {
  /** Names the form for screen readers. */
  label: string;
  /** The verb on the button. */
  submit: string;
  onSubmit(): void;
  action: { isPending: boolean; error: unknown };
  /** Where "Cancel" leads; null without it. */
  cancel: string | null;
  /** Called when the person leaves it with "Cancel". */
  cancelled?(): void;
  children: ReactNode;
}

/** A form on a page of its own: fields below each other, what went wrong, and the buttons. */
export function FormPanel({ label, submit, onSubmit, action, cancel, cancelled, children }: FormPanelProps) {
  const form = useRef<HTMLFormElement>(null);
  const [isMarked, setMarked] = useState(false);
  useEffect(() => {
    const field = action.error === null ? null : form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    setMarked(field instanceof HTMLElement);
    field?.focus();
  }, [action.error]);
  const send = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form className="panel form-panel" aria-label={label} onSubmit={send} noValidate ref={form}>
      {children}
      {isMarked ? (
        <p className="note bad" role="alert">
          {texts.problem.fields}
        </p>
      ) : (
        <ActionProblem error={action.error} seen={cancel} />
      )}
      <div className="page-actions">
        <Button type="submit" loading={action.isPending}>
          {submit}
        </Button>
        {cancel === null ? null : <CancelLink to={cancel} cancelled={cancelled} label={texts.dialog.cancel} />}
      </div>
    </form>
  );
}

import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { texts } from '../../texts/app/texts.ts';
import './form-panel.css';
import { ActionProblem } from '../problem-note.tsx';

interface FormPanelProps {
  /** Names the form for screen readers. */
  label: string;
  /** The verb on the button. */
  submit: string;
  onSubmit(): void;
  action: { isPending: boolean; error: unknown };
  /** Where "Cancel" leads; null without it. */
  cancel: string | null;
  children: ReactNode;
}

/** A form on a page of its own: fields below each other, what went wrong, and the buttons. */
export function FormPanel({ label, submit, onSubmit, action, cancel, children }: FormPanelProps) {
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
        <ActionProblem error={action.error} />
      )}
      <div className="page-actions">
        <Button type="submit" loading={action.isPending}>
          {submit}
        </Button>
        {cancel === null ? null : (
          <Button variant="default" component={Link} to={cancel}>
            {texts.dialog.cancel}
          </Button>
        )}
      </div>
    </form>
  );
}

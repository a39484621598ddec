import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { MouseEvent } from 'react';

interface CancelLinkProps {
  to: string;
  label: string;
  /** Called when the person leaves the form with it. */
  cancelled: (() => void) | undefined;
}

/** Leads away from a form. */
export function CancelLink({ to, label, cancelled }: CancelLinkProps) {
  const pressed = ({ metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) => {
    // With a key, the browser opens another tab or window, and the form stays.
    if (!(metaKey || ctrlKey || shiftKey || altKey)) cancelled?.();
  };
  return (
    <Button variant="default" component={Link} to={to} onClick={pressed}>
      {label}
    </Button>
  );
}

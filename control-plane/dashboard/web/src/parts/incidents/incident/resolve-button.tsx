import { Button } from '@mantine/core';
import { useState } from 'react';
import type { IncidentDetail } from '../../../api/types.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { texts as app } from '../../../texts/app/texts.ts';
import { texts } from '../texts/texts.ts';

interface ResolveButtonProps {
  incident: Pick<IncidentDetail, 'kind' | 'monitor_name' | 'resource' | 'status'>;
  isPending: boolean;
  resolve(): void;
  /** Until it is resolved. */
  silence(): void;
}

/**
 * Asks first. Picket resolves an incident when its problem is over, so while it can be resolved the problem still exists;
 * who wants silence gets it here.
 */
export function ResolveButton({ incident, isPending, resolve, silence }: ResolveButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const { kind, monitor_name, resource, status } = incident;
  const name = monitor_name ?? resource.name;
  const choose = (act: () => void) => {
    setOpen(false);
    act();
  };
  return (
    <>
      <Button variant="default" loading={isPending} onClick={() => setOpen(true)}>
        {app.incident.resolve}
      </Button>
      <Dialog title={texts.resolve.title} isOpen={isOpen} close={() => setOpen(false)}>
        <p className="wrap">
          <strong>{kind === 'monitor' ? texts.resolve.stillDown(name) : texts.resolve.stillWrong(name)}</strong>{' '}
          {texts.resolve.help}
        </p>
        {status === 'silenced' ? null : <p>{texts.resolve.instead}</p>}
        <div className="page-actions">
          {status === 'silenced' ? null : <Button onClick={() => choose(silence)}>{texts.resolve.silence}</Button>}
          <Button variant="default" onClick={() => choose(resolve)}>
            {texts.resolve.anyway}
          </Button>
          <Button variant="default" onClick={() => setOpen(false)}>
            {app.dialog.cancel}
          </Button>
        </div>
      </Dialog>
    </>
  );
}

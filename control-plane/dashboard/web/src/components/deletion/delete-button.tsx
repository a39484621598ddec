import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { call } from '../../api/client.ts';
import type { DetachedReferences, One } from '../../api/types.ts';
import { ConfirmButton } from '../confirm-button.tsx';
import { toast } from '../toasts.tsx';
import { texts } from './texts/texts.ts';
import { type UsedBy, usedByIn } from './used-by.ts';

const NAMES_MAX = 10;

interface DeleteButtonProps {
  label: string;
  title: string;
  /** Of the API. */
  path: string;
  onDeleted(): void | Promise<void>;
  /** Whether the dialog has named what uses the thing, so that one press also removes it from there. */
  isUseShown?(): boolean;
  /** On the button of the dialog, in place of `label`. */
  confirmLabel?: ReactNode;
  children: ReactNode;
}

/** A button that deletes what others can use. If something does, the dialog names it, and the next press removes it there. */
export function DeleteButton({ path, onDeleted, isUseShown, children, ...button }: DeleteButtonProps) {
  const remove = useMutation({
    mutationFn: (detach: boolean) =>
      call<One<DetachedReferences> | undefined>('DELETE', detach ? `${path}?detach=true` : path),
    async onSuccess(answer) {
      const muted = answer?.data.notify_nobody.total ?? 0;
      if (muted > 0) toast({ text: texts.notifyNobody(muted), undo: null });
      await onDeleted();
    },
  });
  // More than can be changed at once is a failure.
  const used = remove.variables === true ? null : usedByIn(remove.error);
  const action = {
    mutate: () => remove.mutate(used !== null || isUseShown?.() === true),
    isPending: remove.isPending,
    error: used === null ? remove.error : null,
  };
  return (
    <ConfirmButton {...button} {...(used === null ? {} : { confirmLabel: texts.detach })} action={action}>
      {children}
      {used === null ? null : <Used used={used} />}
    </ConfirmButton>
  );
}

function Used({ used: { total, items } }: { used: UsedBy }) {
  const shown = items.slice(0, NAMES_MAX);
  return (
    <div role="alert">
      <p className="strong">{texts.inUse(total)}</p>
      <ul className="bullets">
        {shown.map(({ type, id, name }) => (
          <li key={id} className="wrap">
            <bdi>{texts.types[type]?.(name) ?? name}</bdi>
          </li>
        ))}
      </ul>
      {total > shown.length ? <p>{texts.more(total - shown.length)}</p> : null}
      <p>{texts.removes}</p>
    </div>
  );
}

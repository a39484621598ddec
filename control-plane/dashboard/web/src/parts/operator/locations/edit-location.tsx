import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { AdminLocation } from '../../../api/types.ts';
import { ConflictNote } from '../../../components/editing/conflict-note.tsx';
import { KeptNote } from '../../../components/editing/kept-note.tsx';
import { useEditable, type Versioned } from '../../../components/editing/use-editable.ts';
import { ActionProblem } from '../../../components/problem-note.tsx';
import { toast } from '../../../components/toasts.tsx';
import { texts } from '../texts/texts.ts';
import { LocationFields } from './location-fields.tsx';
import { bodyOf, LOCATION_FIELDS, type LocationValues, valuesOf } from './values.ts';
import '../../../components/form/form-panel.css';

const words = texts.locations;

interface EditLocationProps {
  path: string;
  loaded: Versioned<AdminLocation>;
  close(): void;
}

export function EditLocation({ path, loaded, close }: EditLocationProps) {
  const queries = useQueryClient();
  const { form, changed, conflict, save, isKept, discard, forget } = useEditable<AdminLocation, LocationValues>({
    ...{ path, loaded, fields: LOCATION_FIELDS, valuesOf },
    patchOf: (values, fields) =>
      Object.fromEntries(Object.entries(bodyOf(values)).filter(([one]) => fields.includes(one))),
    onSaved({ after }) {
      toast({ text: words.saved(after.thing.city), undo: null });
      void queries.invalidateQueries({ queryKey: ['locations'] });
      close();
    },
  });
  const cancel = () => {
    forget();
    close();
  };
  const hasFieldErrors = Object.keys(form.errors).length > 0;
  return (
    <form className="form-panel row-main" onSubmit={form.onSubmit(() => save.mutate())} noValidate>
      <KeptNote isKept={isKept} discard={discard} />
      {conflict === null ? null : (
        <ConflictNote conflict={conflict} labelOf={(field) => words.labels[field] ?? field} />
      )}
      <LocationFields form={form} />
      {hasFieldErrors || conflict !== null ? null : <ActionProblem error={save.error} />}
      <div className="page-actions">
        <Button type="submit" loading={save.isPending} disabled={changed.length === 0}>
          {words.save}
        </Button>
        <Button variant="default" onClick={cancel}>
          {words.cancel}
        </Button>
      </div>
    </form>
  );
}

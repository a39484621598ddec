import { Button, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call, isNotFound } from '../../../api/client.ts';
import { fieldErrors } from '../../../api/field-errors.ts';
import { apiPath } from '../../../api/path.ts';
import type { Server } from '../../../api/types.ts';
import { ConflictNote } from '../../../components/editing/conflict-note.tsx';
import { KeptNote } from '../../../components/editing/kept-note.tsx';
import { readVersioned, type Saved, useEditable, type Versioned } from '../../../components/editing/use-editable.ts';
import { tagsOf, tagsText } from '../../../components/form/tags.ts';
import { editOf, useForgotten } from '../../../components/form/use-draft.ts';
import { ActionProblem, LoadProblem } from '../../../components/problem-note.tsx';
import { toast } from '../../../components/toasts.tsx';
import { texts } from '../texts/texts.ts';

const FIELDS = ['name', 'tags'] as const;

interface EditFormProps {
  server: Server;
  close(): void;
}

/** Name and tags of a server. What was saved can be taken back. */
export function EditForm({ server: { id }, close }: EditFormProps) {
  const path = apiPath`/v1/servers/${id}`;
  const loaded = useQuery({
    queryKey: ['server', id, 'version'],
    queryFn: ({ signal }) => readVersioned<Server>(path, signal),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isGone = isNotFound(loaded.error);
  useForgotten(loaded.data === undefined && isGone ? editOf(path) : null);
  if (loaded.data === undefined) return <LoadProblem error={loaded.error} />;
  return <Fields {...{ id, path, isGone, close }} loaded={loaded.data} />;
}

interface FieldsProps {
  id: string;
  path: string;
  loaded: Versioned<Server>;
  isGone: boolean;
  close(): void;
}

function Fields({ id, path, loaded, isGone, close }: FieldsProps) {
  const words = texts.edit;
  const saved = useSaved(path, close);
  const { form, changed, conflict, save, isKept, discard, forget } = useEditable<
    Server,
    { name: string; tags: string }
  >({
    ...{ path, loaded, isGone, fields: FIELDS },
    valuesOf: ({ name, tags }) => ({ name, tags: tagsText(tags) }),
    patchOf: ({ name, tags }, fields) => ({
      ...(fields.includes('name') ? { name: name.trim() } : {}),
      ...(fields.includes('tags') ? { tags: tagsOf(tags) } : {}),
    }),
    onSaved: saved,
  });
  const cancel = () => {
    forget();
    close();
  };
  // The API names a tag by its place, and the form has one field for all.
  const tagError = Object.entries(form.errors).find(([field]) => field.startsWith('tags'))?.[1];
  const submit = form.onSubmit(() => (changed.length === 0 ? close() : save.mutate()));
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <KeptNote isKept={isKept} discard={discard} />
      {conflict === null ? null : (
        <ConflictNote
          objectId={id}
          conflict={conflict}
          labelOf={(field) => (field === 'name' ? words.name : words.tags)}
        />
      )}
      <TextInput label={words.name} maxLength={200} {...form.getInputProps('name')} />
      <TextInput label={words.tags} description={words.tagsHelp} {...form.getInputProps('tags')} error={tagError} />
      {conflict === null && Object.keys(fieldErrors(save.error)).length === 0 ? (
        <ActionProblem error={save.error} />
      ) : null}
      <div className="page-actions">
        <Button type="submit" loading={save.isPending}>
          {words.save}
        </Button>
        <Button variant="default" onClick={cancel}>
          {words.cancel}
        </Button>
      </div>
    </form>
  );
}

/** Returns what happens after a change: the page shows it, and a message offers the way back. */
function useSaved(path: string, close: () => void) {
  const queries = useQueryClient();
  const show = ({ id }: Server) => {
    void queries.invalidateQueries({ queryKey: ['server', id] });
    void queries.invalidateQueries({ queryKey: ['servers'] });
  };
  return ({ before, after: { thing }, changed }: Saved<Server>) => {
    const undo = () => {
      const old = Object.fromEntries(
        FIELDS.filter((field) => changed.includes(field)).map((field) => [field, before[field]]),
      );
      void call('PATCH', path, old).finally(() => show(before));
    };
    queries.setQueryData(['server', thing.id], thing);
    show(thing);
    close();
    toast({ text: texts.edit.saved(thing.name), undo });
  };
}

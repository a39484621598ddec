import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { ApiProblem } from '../../../api/client.ts';
import { locationsQuery } from '../../../api/queries.ts';
import type { Monitor } from '../../../api/types.ts';
import { ConflictNote } from '../../../components/editing/conflict-note.tsx';
import { useEditable, type Versioned } from '../../../components/editing/use-editable.ts';
import { ActionProblem } from '../../../components/problem-note.tsx';
import { AlertFields, HowFields, NotifyFields, WhatFields } from './fields.tsx';
import { FIELDS, formOf, type MonitorForm, patchOf } from './form-values.ts';
import { RequestFields } from './request-fields.tsx';
import { useShownValue } from './shown-value.ts';
import { words } from './texts/texts.ts';
import { useSaved } from './use-saved.ts';
import './edit.css';

/** All settings of a monitor. What was typed stays, whatever the API or somebody else does. */
export function EditForm({ loaded }: { loaded: Versioned<Monitor> }) {
  const { id } = loaded.thing;
  const navigate = useNavigate();
  const saved = useSaved(id);
  const locations = useQuery(locationsQuery).data ?? [];
  const show = useShownValue();
  const { form, changed, conflict, save } = useEditable<Monitor, MonitorForm>({
    ...{ path: `/v1/monitors/${id}`, loaded, fields: FIELDS, valuesOf: formOf, patchOf, validate },
    onSaved({ before, after, changed: fields }) {
      saved({ before, after, patch: patchOf(form.getValues(), fields), text: words.saved(after.thing.name) });
      void navigate({ to: `/monitors/${id}` });
    },
  });
  const element = useRef<HTMLFormElement>(null);
  /** Goes to what must be corrected, once it is marked. */
  const toFirstError = () =>
    requestAnimationFrame(() => element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  const { error } = save;
  const isExplained = error instanceof ApiProblem && (error.status === 412 || Object.keys(error.fields).length > 0);
  const wrong = Object.keys(form.errors).length;
  return (
    <form
      ref={element}
      className="stack edit"
      onSubmit={form.onSubmit(() => save.mutate(undefined, { onError: toFirstError }), toFirstError)}
      noValidate
    >
      {conflict === null ? null : (
        <ConflictNote conflict={conflict} labelOf={(field) => words.labels[field] ?? field} show={show} />
      )}
      <WhatFields form={form} />
      <HowFields form={form} locations={locations} />
      <AlertFields form={form} />
      <NotifyFields form={form} />
      {form.values.type === 'http' ? <RequestFields form={form} /> : null}
      {isExplained ? null : <ActionProblem error={error} />}
      {wrong === 0 ? null : (
        <p className="note bad" role="alert">
          {words.invalid(wrong)}
        </p>
      )}
      <div className="page-actions edit-actions">
        <Button type="submit" loading={save.isPending} disabled={changed.length === 0}>
          {words.save}
        </Button>
        <Button variant="default" component={Link} to={`/monitors/${id}`}>
          {words.cancel}
        </Button>
      </div>
    </form>
  );
}

/** What the form itself can say; the API checks the rest. */
function validate({ name, url, locations }: MonitorForm): Record<string, string | null> {
  return {
    name: name.trim() === '' ? words.missing.name : null,
    url: url.trim() === '' ? words.missing.url : null,
    locations: locations.length === 0 ? words.missing.locations : null,
  };
}

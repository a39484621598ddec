import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import { ApiProblem } from '../../../api/client.ts';
import { apiPath } from '../../../api/path.ts';
import { locationsQuery } from '../../../api/queries.ts';
import type { Monitor } from '../../../api/types.ts';
import { ConflictNote } from '../../../components/editing/conflict-note.tsx';
import { KeptNote } from '../../../components/editing/kept-note.tsx';
import { useEditable, type Versioned } from '../../../components/editing/use-editable.ts';
import { CancelLink } from '../../../components/form/cancel-link.tsx';
import { ActionProblem } from '../../../components/problem-note.tsx';
import { AlertFields, HowFields, NotifyFields, WhatFields } from './fields.tsx';
import { FIELDS, formOf, type MonitorForm, patchOf } from './form-values.ts';
import { RequestFields } from './request-fields.tsx';
import { useShownValue } from './shown-value.ts';
import { words } from './texts/texts.ts';
import { useSaved } from './use-saved.ts';
import './edit.css';

interface EditFormProps {
  loaded: Versioned<Monitor>;
  /** Whether the monitor was deleted since. What was typed stays until the page is left. */
  isGone: boolean;
}

/** All settings of a monitor. What was typed stays, whatever the API or somebody else does. */
export function EditForm({ loaded, isGone }: EditFormProps) {
  const { id } = loaded.thing;
  const navigate = useNavigate();
  const saved = useSaved(id);
  const locations = useQuery(locationsQuery).data ?? [];
  const show = useShownValue();
  const { form, changed, conflict, save, isKept, discard, forget } = useEditable<Monitor, MonitorForm>({
    ...{ path: apiPath`/v1/monitors/${id}`, loaded, isGone },
    ...{ fields: FIELDS, valuesOf: formOf, patchOf, validate },
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
  const status = error instanceof ApiProblem ? error.status : null;
  const isExplained =
    (status === 412 && conflict !== null) || (error instanceof ApiProblem && Object.keys(error.fields).length > 0);
  const problem =
    isGone || status === 404 ? (
      <Deleted />
    ) : isExplained ? null : (
      <ActionProblem error={error} seen={`/monitors/${id}`} />
    );
  return (
    <form
      ref={element}
      className="stack edit"
      onSubmit={form.onSubmit(() => save.mutate(undefined, { onError: toFirstError }), toFirstError)}
      noValidate
    >
      <KeptNote isKept={isKept} discard={discard} />
      {conflict === null ? null : (
        <ConflictNote objectId={id} conflict={conflict} labelOf={(field) => words.labels[field] ?? field} show={show} />
      )}
      <WhatFields form={form} />
      <HowFields form={form} locations={locations} />
      <AlertFields form={form} />
      <NotifyFields form={form} />
      {form.values.type === 'http' ? <RequestFields form={form} /> : null}
      <Bar wrong={Object.keys(form.errors).length} problem={problem}>
        <Button type="submit" loading={save.isPending} disabled={changed.length === 0}>
          {words.save}
        </Button>
        <CancelLink to={`/monitors/${id}`} cancelled={forget} label={words.cancel} />
      </Bar>
    </form>
  );
}

/** Stays in view with its buttons, and so does what became of pressing them. */
function Bar({ wrong, problem, children }: { wrong: number; problem: ReactNode; children: ReactNode }) {
  return (
    <div className="edit-bar">
      {problem}
      {wrong === 0 ? null : (
        <p className="note bad" role="alert">
          {words.invalid(wrong)}
        </p>
      )}
      <div className="page-actions">{children}</div>
    </div>
  );
}

function Deleted() {
  return (
    <p className="note bad" role="alert">
      {words.deleted} <Link to="/monitors/changes">{words.toChanges}</Link>
    </p>
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

import { type UseFormReturnType, useForm } from '@mantine/form';
import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiProblem, send } from '../../api/client.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import type { One } from '../../api/types.ts';
import { changedFields, mergeOf, type TheirChange } from './merge.ts';
import { type Values, valueAt, withValue } from './paths.ts';

/** An object with its version, as `readVersioned` returns it. */
export interface Versioned<Thing> {
  thing: Thing;
  etag: string | null;
}

/** Reads an object with its version: `path` such as `/v1/monitors/mon_…`. */
export async function readVersioned<Thing>(path: string, signal?: AbortSignal): Promise<Versioned<Thing>> {
  const { body, etag } = await send<One<Thing>>('GET', path, { signal });
  return { thing: body.data, etag };
}

interface EditableOptions<Thing, Form extends Values> {
  path: string;
  /** What editing begins with. Later versions of it are ignored. */
  loaded: Versioned<Thing>;
  /** The paths of all fields of the form: what one person or another changed is a list of these. */
  fields: readonly string[];
  valuesOf(thing: Thing): Form;
  /** Returns the body of the PATCH for the fields that were changed. */
  patchOf(form: Form, changed: readonly string[]): object;
  /** What is wrong with the form, by path, before it is sent. */
  validate?(form: Form): Record<string, string | null>;
  /** Called with the object before and after the change, and the request that takes the change back. */
  onSaved(saved: Saved<Thing>): void;
}

export interface Saved<Thing> {
  before: Thing;
  after: Versioned<Thing>;
  changed: readonly string[];
}

/** What somebody else changed meanwhile. */
export interface Conflict {
  changes: readonly TheirChange[];
  /** Puts one of the two values into the form. */
  choose(change: TheirChange, whose: 'mine' | 'theirs'): void;
  chosen(change: TheirChange): 'mine' | 'theirs';
}

export interface Editable<Form extends Values> {
  form: UseFormReturnType<Form>;
  changed: readonly string[];
  conflict: Conflict | null;
  /** Call its `mutate` when the form is submitted. Errors of fields are already in the form. */
  save: UseMutationResult<void, Error, void>;
}

/**
 * Edits an object in a form. When somebody else changed the object meanwhile, the form keeps what was typed, takes over
 * the fields that were not touched, and `conflict` lists what they changed.
 */
export function useEditable<Thing, Form extends Values>(options: EditableOptions<Thing, Form>): Editable<Form> {
  const { path, loaded, fields, valuesOf, patchOf, validate, onSaved } = options;
  const [base, setBase] = useState(loaded);
  const [changes, setChanges] = useState<readonly TheirChange[]>([]);
  const form = useForm<Form>({
    initialValues: valuesOf(loaded.thing),
    validate: (values) => validate?.(values) ?? {},
  });
  const baseValues = valuesOf(base.thing);
  const changed = changedFields(fields, baseValues, form.values);

  /** Reads what the object is now. Returns whether it differs from what editing began with. */
  async function meet(): Promise<void> {
    const newest = await readVersioned<Thing>(path);
    const merge = mergeOf(fields, baseValues, form.getValues(), valuesOf(newest.thing));
    form.setValues(merge.merged);
    setBase(newest);
    setChanges(merge.changes);
  }

  const save = useMutation({
    async mutationFn() {
      const body = patchOf(form.getValues(), changed);
      const { body: answer, etag } = await send<One<Thing>>('PATCH', path, { body, ifMatch: base.etag });
      onSaved({ before: base.thing, after: { thing: answer.data, etag }, changed });
    },
    async onError(error) {
      form.setErrors(fieldErrors(error));
      if (error instanceof ApiProblem && error.status === 412) await meet();
    },
  });
  const conflict: Conflict | null =
    changes.length === 0
      ? null
      : {
          changes,
          choose: ({ field, mine, theirs }, whose) =>
            form.setValues(withValue(form.getValues(), field, whose === 'mine' ? mine : theirs)),
          chosen: ({ field, theirs }) =>
            JSON.stringify(valueAt(form.values, field)) === JSON.stringify(theirs) ? 'theirs' : 'mine',
        };
  return { form, changed, conflict, save };
}

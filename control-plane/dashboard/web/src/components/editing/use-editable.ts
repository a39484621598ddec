import { type UseFormReturnType, useForm } from '@mantine/form';
import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiProblem, isNotFound, send } from '../../api/client.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import type { One } from '../../api/types.ts';
import { editOf, useDraft } from '../form/use-draft.ts';
import { changedFields, type Merge, mergeOf, type TheirChange } from './merge.ts';
import { isSame, type Values, valueAt, withValue } from './paths.ts';

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
  /** Whether it does not exist any more: the form then keeps nothing once it is left. */
  isGone?: boolean;
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

/** What another person changed meanwhile. */
export interface Conflict {
  /** Differs for each version of theirs. */
  version: string;
  changes: readonly TheirChange[];
  /** Puts one of the two values into the form. */
  choose(change: TheirChange, whose: 'mine' | 'theirs'): void;
  chosen(change: TheirChange): 'mine' | 'theirs';
}

export interface Editable<Form extends Values> {
  form: UseFormReturnType<Form>;
  changed: readonly string[];
  conflict: Conflict | null;
  /** Whether the form has what was typed on an earlier visit to its page. */
  isKept: boolean;
  /** Takes back what was typed. */
  discard(): void;
  /** For "Cancel": what was typed is not wanted. */
  forget(): void;
  /** Call its `mutate` when the form is submitted. Errors of fields are already in the form. */
  save: UseMutationResult<void, Error, void>;
}

/** What was typed, and the object that it was compared with last. */
interface Typed<Thing, Form> {
  base: Versioned<Thing>;
  values: Form;
  /** What the person could choose when they left. */
  changes: readonly TheirChange[];
}

/**
 * Edits an object in a form, which keeps what was typed while another page is open. When another person changed the object
 * meanwhile, the form keeps what was typed, takes over the fields that were not touched, and `conflict` lists what they
 * changed.
 */
export function useEditable<Thing, Form extends Values>(options: EditableOptions<Thing, Form>): Editable<Form> {
  const { path, loaded, isGone = false, fields, valuesOf, patchOf, validate, onSaved } = options;
  const draft = useDraft<Typed<Thing, Form>>(editOf(path));
  const [first] = useState(() => begun(draft.entered, options));
  const [isOld, setOld] = useState(draft.entered !== null);
  const [base, setBase] = useState(loaded);
  const [changes, setChanges] = useState<readonly TheirChange[]>(first.changes);
  const form = useForm<Form>({
    initialValues: first.merged,
    validate: (values) => validate?.(values) ?? {},
  });
  const baseValues = valuesOf(base.thing);
  const { values } = form;
  const changed = changedFields(fields, baseValues, values);
  const isChanged = changed.length > 0;

  /** Reads what the object is now, and shows what others changed. Resolves to null if there is anything to choose. */
  async function meet(): Promise<Versioned<Thing> | null> {
    const newest = await readVersioned<Thing>(path);
    const merge = mergeOf(fields, baseValues, form.getValues(), valuesOf(newest.thing));
    form.setValues(merge.merged);
    setBase(newest);
    setChanges(merge.changes);
    return merge.changes.length === 0 ? newest : null;
  }

  async function saveOver(before: Versioned<Thing>): Promise<void> {
    const body = patchOf(form.getValues(), changed);
    const { body: answer, etag } = await send<One<Thing>>('PATCH', path, { body, ifMatch: before.etag });
    draft.forget();
    onSaved({ before: before.thing, after: { thing: answer.data, etag }, changed });
  }

  const save = useMutation({
    async mutationFn() {
      try {
        await saveOver(base);
      } catch (error) {
        if (!(error instanceof ApiProblem) || error.status !== 412) throw error;
        // The version counts every change, also of what is not in the form: a monitor that was paused, for example.
        const newest = await meet();
        if (newest === null) throw error;
        await saveOver(newest);
      }
    },
    onError: (error) => form.setErrors(fieldErrors(error)),
  });
  const isLost = isGone || isNotFound(save.error);
  useEffect(() => {
    if (isChanged) draft.keep({ base, values, changes }, true);
    else draft.forget();
    return isLost ? draft.forget : undefined;
  }, [draft, isChanged, isLost, base, values, changes]);
  const conflict: Conflict | null =
    changes.length === 0
      ? null
      : {
          changes,
          version: base.etag ?? '',
          choose: ({ field, mine, theirs }, whose) =>
            form.setValues(withValue(form.getValues(), field, whose === 'mine' ? mine : theirs)),
          chosen: ({ field, theirs }) => (isSame(valueAt(form.values, field), theirs) ? 'theirs' : 'mine'),
        };
  const discard = () => {
    setOld(false);
    form.setValues(baseValues);
    setChanges([]);
  };
  const isKept = isOld && isChanged;
  return { form, changed, conflict, save, isKept, discard, forget: draft.forget };
}

/** Returns what editing begins with: the object, with what was typed into the form before. */
function begun<Thing, Form extends Values>(
  typed: Typed<Thing, Form> | null,
  { loaded, fields, valuesOf }: EditableOptions<Thing, Form>,
): Merge<Form> {
  const now = valuesOf(loaded.thing);
  if (typed === null) return { merged: now, changes: [] };
  const { merged, changes } = mergeOf(fields, valuesOf(typed.base.thing), typed.values, now);
  // A choice of the earlier visit stays one, unless the field has another value by now: then the merge has it.
  const open = typed.changes.filter(({ field, theirs }) => isSame(valueAt(now, field), theirs));
  return { merged, changes: [...open, ...changes] };
}

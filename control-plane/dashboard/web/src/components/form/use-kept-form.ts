import { type UseFormReturnType, useForm } from '@mantine/form';
import { useEffect, useState } from 'react';
import { mergeOf } from '../editing/merge.ts';
import { fieldsOf } from '../editing/paths.ts';
import { useDraft } from './use-draft.ts';

export interface KeptForm<Values extends object> {
  form: UseFormReturnType<Values>;
  /** Whether it has what was entered on an earlier visit to its page. */
  isKept: boolean;
  /** Takes back what was entered. */
  discard(): void;
  /** When it was saved, or the person has said that they do not want it. */
  forget(): void;
}

/** What was entered, and what the form had before: the difference is what the person changed. */
interface Kept<Values> {
  begins: Values;
  values: Values;
}

/**
 * Returns a form that keeps what was entered while another page is open. `begins` is what it has without that, and `name`
 * says which form it is. What another person changed meanwhile is taken over, except where this one changed it too. Later
 * values of `begins` are ignored: give the form another key. With `isGone`, what it edits does not exist any more: it keeps
 * nothing once it is left.
 */
export function useKeptForm<Values extends object>(name: string, begins: Values, isGone: boolean): KeptForm<Values> {
  const draft = useDraft<Kept<Values>>(name);
  const [begun] = useState(begins);
  const [first] = useState(() => withKept(draft.entered, begins));
  const [isOld, setOld] = useState(draft.entered !== null);
  const form = useForm<Values>({ initialValues: first });
  const { values } = form;
  const isChanged = JSON.stringify(values) !== JSON.stringify(begun);
  useEffect(() => {
    if (isChanged) draft.keep({ begins: begun, values }, true);
    else draft.forget();
    return isGone ? draft.forget : undefined;
  }, [draft, isChanged, isGone, begun, values]);
  return {
    form,
    isKept: isOld && isChanged,
    discard: () => {
      setOld(false);
      form.setValues(begun);
    },
    forget: draft.forget,
  };
}

/** Returns what is stored by now with what this person changed. */
function withKept<Values extends object>(kept: Kept<Values> | null, begins: Values): Values {
  return kept === null ? begins : mergeOf(fieldsOf(begins), kept.begins, kept.values, begins).merged;
}

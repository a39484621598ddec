import { isSame, valueAt, withValue } from './paths.ts';

/** A field that another person changed while it was edited here. */
export interface TheirChange {
  /** Path such as `http.keyword`. */
  field: string;
  /** What it was when editing began, what it is now, and what is in the form. */
  was: unknown;
  theirs: unknown;
  mine: unknown;
  /** Whether the form had another value than when editing began: then both changed it. */
  isMineToo: boolean;
}

export interface Merge<Whole> {
  /** What was typed stays; fields that were not touched follow the other person. */
  merged: Whole;
  changes: TheirChange[];
}

/** Returns the form after another person changed the object. `base` is what editing began with. Pure. */
export function mergeOf<Whole>(fields: readonly string[], base: Whole, mine: Whole, theirs: Whole): Merge<Whole> {
  const changes = fields.flatMap((field): TheirChange[] => {
    const [was, other, own] = [valueAt(base, field), valueAt(theirs, field), valueAt(mine, field)];
    if (isSame(was, other) || isSame(own, other)) return [];
    return [{ field, was, theirs: other, mine: own, isMineToo: !isSame(was, own) }];
  });
  const followed = changes.filter(({ isMineToo }) => !isMineToo);
  return { changes, merged: followed.reduce((form, { field, theirs: other }) => withValue(form, field, other), mine) };
}

/** Returns the fields in which the form differs from the object. Pure. */
export function changedFields<Whole>(fields: readonly string[], base: Whole, mine: Whole): string[] {
  return fields.filter((field) => !isSame(valueAt(base, field), valueAt(mine, field)));
}

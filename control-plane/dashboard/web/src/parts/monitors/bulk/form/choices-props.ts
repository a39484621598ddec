import type { Edited, EditedField, EditProblem } from './edited.ts';

/** What every group of settings gets. */
export interface ChoicesProps {
  edited: Edited;
  problems: Partial<Record<EditedField, EditProblem>>;
  change<Field extends EditedField>(field: Field, value: Edited[Field] | undefined): void;
}

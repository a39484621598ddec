import { ApiProblem } from '../../api/client.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import { texts } from './texts/texts.ts';

/** Returns what the API said of the fields of a page, by their path in the form. */
export function pageErrors(error: unknown): Record<string, string> {
  const problems = error instanceof ApiProblem ? error.problems : [];
  const isTaken = problems.some(({ path, code }) => path === '/slug' && code === 'exists');
  return { ...fieldErrors(error), ...(isTaken ? { slug: texts.form.slugTaken } : {}) };
}

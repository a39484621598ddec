import { ApiProblem } from './client.ts';

/**
 * Returns what the API said of the fields of a request, by the path that a form has for them: `http.keyword` for
 * `/http/keyword`. Empty when the request failed for another reason.
 */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ApiProblem)) return {};
  return Object.fromEntries(
    Object.entries(error.fields).map(([pointer, said]) => [pointer.replace(/^\//, '').replaceAll('/', '.'), said]),
  );
}

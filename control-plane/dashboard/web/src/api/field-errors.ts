import { ApiProblem } from './client.ts';

/**
 * Returns what the API said of the fields of a request, by the path that a form has for them: `http.keyword` for
 * `/http/keyword`. Empty when the request failed for another reason.
 */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ApiProblem)) return {};
  return Object.fromEntries(
    Object.entries(error.fields).map(([pointer, message]) => [
      pointer.replace(/^\//, '').replaceAll('/', '.'),
      sentence(message),
    ]),
  );
}

/** The API's messages go on after the name of the field: "must not be empty". */
function sentence(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1) + (/[.!?]$/.test(message) ? '' : '.');
}

import { call } from './client.ts';

/** Reads from the API: `path` such as `/v1/monitors`, with the parameters that are neither undefined nor empty. */
export function read<Body>(
  path: string,
  query: Record<string, string | undefined>,
  signal: AbortSignal,
): Promise<Body> {
  const parameters = Object.entries(query).filter((entry): entry is [string, string] => (entry[1] ?? '') !== '');
  const text = new URLSearchParams(parameters).toString();
  return call<Body>('GET', text === '' ? path : `${path}?${text}`, undefined, signal);
}

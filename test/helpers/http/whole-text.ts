/** Resolves to the body of a response; to nothing for a stream of events, which never ends. */
export async function wholeText(response: Response): Promise<string> {
  if (response.headers.get('content-type') !== 'text/event-stream') return response.text();
  await response.body?.cancel();
  return '';
}

/** Sends a GET request with a key, for responses that are not JSON. */
export async function fetchText(
  url: string,
  key: string | null,
): Promise<{ status: number; type: string; body: string }> {
  const response = await fetch(url, { headers: key === null ? {} : { authorization: `Bearer ${key}` } });
  return { status: response.status, type: response.headers.get('content-type') ?? '', body: await response.text() };
}

/** Returns the URL of an API path. The control plane serves both the dashboard and the API, so the origin is the same. */
export function apiUrl(path: string): URL {
  return new URL(`/v1/${path}`, document.baseURI);
}

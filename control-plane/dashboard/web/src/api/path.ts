/**
 * Returns an API path such as `/v1/monitors/…`, with the values encoded. An id comes from the URL of the page, so it can be
 * any text: unencoded, `../api-keys` would be another resource than the page asks for, or another site below the same origin.
 */
export function apiPath(parts: TemplateStringsArray, ...values: readonly string[]): string {
  return parts.reduce((path, part, index) => `${path}${segment(values[index - 1] ?? '')}${part}`);
}

/** URLs drop the segments `.` and `..`, also encoded ones. Encoded twice, they are no id of anything. */
function segment(value: string): string {
  if (/^\.{1,2}$/.test(value)) return value.replaceAll('.', '%252E');
  return encodeURIComponent(value);
}

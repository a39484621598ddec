/** Shorter texts are parts of ordinary words and of public URLs. */
const SECRET_CHARS_MIN = 8;
const REMOVED = '[secret]';

/** The parts of a request that can contain secrets. */
export interface SentRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
}

/**
 * Returns text of a response without what it repeats of the request: path and query of the URL, and the credentials.
 * Many servers answer an unknown path with it, and more people see the error than the URL of a webhook.
 */
export function withoutEchoes(text: string, { url, headers }: SentRequest): string {
  const secrets = [...urlTexts(url), ...authorizationTexts(headers['authorization'] ?? '')];
  return secrets
    .filter((secret) => secret.length >= SECRET_CHARS_MIN)
    .sort((a, b) => b.length - a.length)
    .reduce((rest, secret) => rest.replaceAll(secret, REMOVED), text);
}

/** Returns path and query, whole and in parts, as they were sent and as a server may decode them. */
function urlTexts(url: string): string[] {
  if (!URL.canParse(url)) return [];
  const { pathname, search } = new URL(url);
  const parts = [pathname + search, ...pathname.split('/'), ...search.slice(1).split(/[&=]/)];
  return [...new Set(parts.flatMap((part) => [part, decoded(part)]))];
}

/** Returns the value, and its credentials without the scheme. */
function authorizationTexts(value: string): string[] {
  return [value, value.slice(value.indexOf(' ') + 1)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // The text contains a percent sign that is not an escape.
    return text;
  }
}

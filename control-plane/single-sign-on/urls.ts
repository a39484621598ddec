/**
 * The addresses of single sign-on. All of them are made from `PICKET_PUBLIC_URL`: the header `Host` is the choice of
 * whoever sends a request.
 */
export function callbackUrl(publicUrl: string): string {
  return `${publicUrl}/v1/auth/sso/callback`;
}

/** Returns the page on which a person begins again. */
export function logInUrl(publicUrl: string): string {
  return `${publicUrl}/login`;
}

/** Returns the address that begins a log-in. */
export function startUrl(
  publicUrl: string,
  query: {
    email?: string | undefined;
    workspace?: string | undefined;
    next?: string | undefined;
    confirm?: boolean | undefined;
  } = {},
): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value));
  const text = given.toString();
  return `${publicUrl}/v1/auth/sso/start${text === '' ? '' : `?${text}`}`;
}

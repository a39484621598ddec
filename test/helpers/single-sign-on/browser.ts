/** A browser as far as log-in needs one: it keeps cookies by host, and follows redirects when the test says so. */
export interface Browser {
  /** Opens an address with the cookies of its host. Never follows a redirect. */
  open(url: string, headers?: Record<string, string>): Promise<{ status: number; headers: Headers; text: string }>;
  /** Follows redirects from an address until one leads to `prefix`, and resolves to that address. */
  until(url: string, prefix: string): Promise<string>;
  /** The cookie with this name at the host of an address. */
  cookie(url: string, name: string): string | undefined;
  setCookie(url: string, name: string, value: string): void;
}

const REDIRECTS_MAX = 12;

export function browser(): Browser {
  const jars = new Map<string, Map<string, string>>();
  const jarOf = (url: string) => {
    const { host } = new URL(url);
    const jar = jars.get(host) ?? new Map<string, string>();
    jars.set(host, jar);
    return jar;
  };

  async function open(url: string, headers: Record<string, string> = {}) {
    const jar = jarOf(url);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { ...(cookie === '' ? {} : { cookie }), ...headers },
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
      const [name = '', value = ''] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
      const isRemoved = attributes.some((part) => /^max-age=0$/i.test(part)) || value === '';
      if (isRemoved) jar.delete(name);
      else jar.set(name, value);
    }
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  return {
    open,
    async until(url, prefix) {
      let next = url;
      for (let step = 0; step < REDIRECTS_MAX; step++) {
        if (next.startsWith(prefix)) return next;
        const { headers, status, text } = await open(next);
        const location = headers.get('location');
        if (location === null) throw new Error(`no redirect from ${next}: ${status} ${text.slice(0, 500)}`);
        next = new URL(location, next).href;
      }
      throw new Error(`more than ${REDIRECTS_MAX} redirects from ${url}`);
    },
    cookie: (url, name) => jarOf(url).get(name),
    setCookie: (url, name, value) => void jarOf(url).set(name, value),
  };
}

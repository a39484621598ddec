import { type Static, Type } from 'typebox';
import type { BootstrapDocument } from '../documents.js';
import { BOOTSTRAP_SUFFIXES_MAX } from './limits.js';
import { Problem } from './problem.js';
import { createReader } from './reader.js';

/** IANA's registry of RDAP servers, RFC 9224 section 3. Other fields are ignored. */
const BootstrapFile = Type.Object({
  services: Type.Array(Type.Array(Type.Array(Type.String({ maxLength: 500 })), { minItems: 2 }), {
    maxItems: BOOTSTRAP_SUFFIXES_MAX,
  }),
});

/** The RDAP servers of suffixes, by suffix. Each URL ends with a slash. */
export type RdapServers = ReadonlyMap<string, string>;

/** Returns a function that reads the text of a bootstrap file. It throws `Problem` for anything else. */
export function createBootstrapReader(): (text: string) => BootstrapDocument['services'] {
  const read = createReader(BootstrapFile, 'the list of RDAP servers');
  return (text) => {
    const services = read(text).services.flatMap(serviceOf);
    const suffixes = services.reduce((sum, one) => sum + one.suffixes.length, 0);
    // Every domain would be unsupported.
    if (suffixes === 0) throw new Problem('the list of RDAP servers has no server');
    if (suffixes > BOOTSTRAP_SUFFIXES_MAX) throw new Problem('the list of RDAP servers has too many suffixes');
    return services;
  };
}

function serviceOf([suffixes = [], urls = []]: Static<typeof BootstrapFile>['services'][number]) {
  const usable = urls.filter((url) => /^https?:\/\//i.test(url) && URL.canParse(url));
  const url = usable.find((one) => /^https:/i.test(one)) ?? usable[0];
  if (url === undefined || suffixes.length === 0) return [];
  return [{ suffixes: suffixes.map((suffix) => suffix.toLowerCase()), url: url.endsWith('/') ? url : `${url}/` }];
}

/**
 * Throws `Problem` for a list with less than half of the suffixes of the previous one: it was cut off or is another file, and the
 * domains of the missing suffixes would be unsupported.
 */
export function requireNotHalved(
  services: BootstrapDocument['services'],
  previous: BootstrapDocument['services'],
): void {
  if (serversOf(services).size * 2 < serversOf(previous).size) {
    throw new Problem('the list of RDAP servers has less than half of the suffixes of the previous one');
  }
}

export function serversOf(services: BootstrapDocument['services']): RdapServers {
  return new Map(services.flatMap(({ suffixes, url }) => suffixes.map((suffix) => [suffix, url] as const)));
}

/** Returns the server of the longest listed suffix of a domain, RFC 9224 section 4; null without one. Pure. */
export function serverOf(servers: RdapServers, domain: string): string | null {
  const labels = domain.split('.');
  for (let at = 1; at < labels.length; at++) {
    const url = servers.get(labels.slice(at).join('.'));
    if (url !== undefined) return url;
  }
  return null;
}

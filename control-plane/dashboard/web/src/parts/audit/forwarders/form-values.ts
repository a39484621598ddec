import type { CreateForwarder, Forwarder, UpdateForwarder } from '../../../api/types.ts';

export const SCHEMES = ['syslog+tls', 'syslog+tcp', 'syslog+udp', 'https'] as const;
export type Scheme = (typeof SCHEMES)[number];
export const SEVERITIES = ['critical', 'warning', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** What the form of a forwarder has. */
export interface ForwarderValues {
  name: string;
  scheme: Scheme;
  /** Host and port of syslog, the whole URL of a webhook. */
  address: string;
  format: Forwarder['format'];
  severities: Severity[];
  auth: string;
  removesAuth: boolean;
  ca: string;
  /** A time without zone, as `<input type="datetime-local">` has it; '' for none. */
  from: string;
}

export const NEW_FORWARDER: ForwarderValues = {
  ...{ name: '', scheme: 'syslog+tls', address: '', format: 'json', severities: [...SEVERITIES] },
  ...{ auth: '', removesAuth: false, ca: '', from: '' },
};

/** Returns the values of an existing forwarder. Its secret stays with the API. */
export function valuesOf({ name, target, format, filter, ca }: Forwarder): ForwarderValues {
  const scheme = SCHEMES.find((one) => one !== 'https' && target.startsWith(`${one}://`)) ?? 'https';
  const address = scheme === 'https' ? target : target.slice(`${scheme}://`.length);
  const severities = SEVERITIES.filter((one) => filter.severity?.includes(one) ?? true);
  return { ...NEW_FORWARDER, name, scheme, address, format, severities, ca: ca ?? '' };
}

function shared({ scheme, address, format, severities, ca, from }: ForwarderValues) {
  const written = address.trim();
  return {
    target: scheme === 'https' ? written : `${scheme}://${written.replace(/^[a-z+]+:\/\//i, '')}`,
    format,
    filter: severities.length === SEVERITIES.length ? null : { severity: severities },
    ca: ca.trim() === '' ? null : ca,
    ...(from === '' ? {} : { from: new Date(from).toISOString() }),
  };
}

/** Returns the request that creates the forwarder. */
export function creationOf(values: ForwarderValues): CreateForwarder {
  const { name, auth, scheme } = values;
  return {
    ...shared(values),
    ...(name.trim() === '' ? {} : { name: name.trim() }),
    ...(scheme !== 'https' || auth.trim() === '' ? {} : { auth: auth.trim() }),
  };
}

/** Returns the request that changes the forwarder: only what differs, because another target needs its secret again. */
export function changeOf(before: Forwarder, values: ForwarderValues): UpdateForwarder {
  const { auth, removesAuth, name } = values;
  const wanted = { name: name.trim(), ...shared(values) };
  const stored = { name: before.name, ...shared(valuesOf(before)) };
  const changed = Object.entries(wanted).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(stored[field as keyof typeof stored]),
  );
  return {
    ...Object.fromEntries(changed),
    ...(removesAuth ? { auth: null } : auth.trim() === '' ? {} : { auth: auth.trim() }),
  };
}

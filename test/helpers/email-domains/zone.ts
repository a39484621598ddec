import type { Answer } from 'dns-packet';
import { type DnsReply, type ScriptedDns, startScriptedDns } from '../machine/scripted-dns.js';

/** The records of a name. What is missing does not exist; a word or a reply is the answer to every query for the name. */
export interface ZoneRecords {
  txt?: string[];
  /** `10 mx.example.com`, `0 .`. */
  mx?: string[];
  a?: string[];
  aaaa?: string[];
  ptr?: string[];
  /** The name whose records are meant. */
  cname?: string;
  /** The types whose lookup fails. */
  fails?: string[];
}

export type Zone = Map<string, ZoneRecords | Extract<DnsReply, string>>;

/** A character string of a TXT record has room for 255 bytes. */
const STRING_CHARS_MAX = 255;
const CNAMES_MAX = 20;

/** Starts a resolver of the zone, which may change at any time. `*.example.com` is for every name below without records. */
export function startZone(zone: Zone): Promise<ScriptedDns> {
  return startScriptedDns(({ name, type }) => {
    const answers: Answer[] = [];
    let at = name;
    for (let cnames = 0; cnames < CNAMES_MAX; cnames++) {
      const found = recordsAt(zone, at);
      if (found === undefined) return answers.length > 0 ? { answers, rcode: 'NXDOMAIN' } : 'NXDOMAIN';
      if (typeof found === 'string') return found;
      if (found.fails?.includes(type) === true) return 'SERVFAIL';
      if (found.cname === undefined) return { answers: [...answers, ...answersOf(at, type, found)] };
      answers.push({ type: 'CNAME', name: at, ttl: 60, data: found.cname });
      if (type === 'CNAME') return { answers };
      at = found.cname;
    }
    return 'SERVFAIL';
  });
}

function recordsAt(zone: Zone, name: string) {
  const parent = name.slice(name.indexOf('.') + 1);
  return zone.get(name) ?? zone.get(`*.${parent}`);
}

function answersOf(name: string, type: string, records: ZoneRecords): Answer[] {
  const common = { name, ttl: 60 };
  if (type === 'TXT') return (records.txt ?? []).map((text) => ({ ...common, type: 'TXT', data: strings(text) }));
  if (type === 'A') return (records.a ?? []).map((data) => ({ ...common, type: 'A', data }));
  if (type === 'AAAA') return (records.aaaa ?? []).map((data) => ({ ...common, type: 'AAAA', data }));
  if (type === 'PTR') return (records.ptr ?? []).map((data) => ({ ...common, type: 'PTR', data }));
  if (type !== 'MX') return [];
  return (records.mx ?? []).map((text) => {
    const [preference = '', exchange = ''] = text.split(' ');
    return { ...common, type: 'MX', data: { preference: Number(preference), exchange } };
  });
}

function strings(text: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length || at === 0; at += STRING_CHARS_MAX)
    parts.push(text.slice(at, at + STRING_CHARS_MAX));
  return parts;
}

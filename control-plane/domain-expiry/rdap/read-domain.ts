import { domainToASCII } from 'node:url';
import { Type } from 'typebox';
import type { RegistrationPhase } from '../documents.js';
import { Problem } from './problem.js';
import { createReader } from './reader.js';

/** The fields of an RDAP domain that Picket reads, RFC 9083 section 5.3. Others are ignored, also what is redacted (RFC 9537). */
const RdapDomain = Type.Object({
  objectClassName: Type.String({ maxLength: 100 }),
  ldhName: Type.Optional(Type.String({ maxLength: 300 })),
  events: Type.Optional(Type.Array(Type.Unknown(), { maxItems: 200 })),
  status: Type.Optional(Type.Array(Type.Unknown(), { maxItems: 200 })),
  entities: Type.Optional(Type.Array(Type.Unknown(), { maxItems: 200 })),
});

/** An event that names its action and its date. Events of other shapes are skipped: one odd event must not hide the others. */
interface Event {
  eventAction: string;
  eventDate: string;
}

/** An entity that names its roles and has a card. Entities of other shapes are skipped. */
interface Entity {
  roles: unknown[];
  vcardArray: unknown[];
}

/** What an answer says of a domain. */
export interface ReadDomain {
  /** null: the registry does not say. */
  expiresAtMs: number | null;
  phase: RegistrationPhase;
  registrar: string | null;
}

const REGISTRAR_CHARS_MAX = 200;
/** RFC 3339; some registries leave the time zone out, which then is UTC, or its minutes or colon. */
const DATE = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;
const FIRST_REGISTRATION_MS = Date.UTC(1985, 0, 1);
/** Registries write a date beyond it for domains that do not expire. */
const YEARS_AHEAD_MAX = 100;
/** A date longer ago is none: registries delete a domain within months of its expiry. */
const YEARS_PAST_MAX = 1;
const YEAR_MS = 365.25 * 86_400_000;

/** Returns a function that reads the answer about a domain. It throws `Problem` for anything else. */
export function createDomainReader(): (text: string, name: string, nowMs: number) => ReadDomain {
  const read = createReader(RdapDomain, 'the answer');
  return (text, name, nowMs) => {
    const domain = read(text);
    if (domain.objectClassName.toLowerCase() !== 'domain') throw new Problem('the answer is not about a domain');
    // Some registries write a name in another script as it is read, not in punycode.
    const named = domain.ldhName === undefined ? name : domainToASCII(domain.ldhName).replace(/\.$/, '');
    if (named !== name) throw new Problem('the answer is about another domain');
    return {
      expiresAtMs: expiryOf((domain.events ?? []).filter(isEvent), nowMs),
      phase: phaseOf(domain.status ?? []),
      registrar: registrarOf(domain.entities ?? []),
    };
  };
}

function isEvent(value: unknown): value is Event {
  if (typeof value !== 'object' || value === null) return false;
  const { eventAction, eventDate } = value as Partial<Record<keyof Event, unknown>>;
  return typeof eventAction === 'string' && typeof eventDate === 'string';
}

/** Of several dates the latest counts: events are a history, in which registries leave dates of before a renewal. */
function expiryOf(events: readonly Event[], nowMs: number): number | null {
  const registeredMs = Math.max(FIRST_REGISTRATION_MS, ...datesOf(events, 'registration'));
  const dates = datesOf(events, 'expiration').filter(
    (ms) => ms >= registeredMs && nowMs - ms <= YEARS_PAST_MAX * YEAR_MS && ms - nowMs <= YEARS_AHEAD_MAX * YEAR_MS,
  );
  return dates.length === 0 ? null : Math.max(...dates);
}

function datesOf(events: readonly Event[], action: string): number[] {
  return events
    .filter(({ eventAction }) => eventAction.trim().toLowerCase() === action)
    .flatMap(({ eventDate }) => readDate(eventDate) ?? []);
}

function readDate(text: string): number | null {
  const [, day, time = '00:00:00', zone = 'Z'] = DATE.exec(text.trim()) ?? [];
  if (day === undefined) return null;
  const [sign, hours, minutes = '00'] = [
    zone.slice(0, 1),
    zone.slice(1, 3),
    zone.slice(3).replace(':', '') || undefined,
  ];
  const ms = Date.parse(`${day}T${time}${hours === '' ? 'Z' : `${sign}${hours}:${minutes}`}`);
  return Number.isNaN(ms) ? null : ms;
}

function phaseOf(status: readonly unknown[]): RegistrationPhase {
  const values = new Set(status.map((value) => (typeof value === 'string' ? value.trim().toLowerCase() : '')));
  if (values.has('redemption period') || values.has('pending delete')) return 'deleting';
  return values.has('auto renew period') ? 'auto_renewed' : null;
}

function registrarOf(entities: readonly unknown[]): string | null {
  for (const entity of entities) {
    if (!isEntity(entity) || !entity.roles.includes('registrar')) continue;
    const name = fullNameOf(entity.vcardArray[1]);
    if (name !== null) return name;
  }
  return null;
}

function isEntity(value: unknown): value is Entity {
  if (typeof value !== 'object' || value === null) return false;
  const { roles, vcardArray } = value as Partial<Record<keyof Entity, unknown>>;
  return Array.isArray(roles) && Array.isArray(vcardArray);
}

/** Returns the value of `fn` in a jCard: `["fn", {}, "text", "Example Registrar"]`, RFC 7095. */
function fullNameOf(properties: unknown): string | null {
  if (!Array.isArray(properties)) return null;
  const found: unknown = properties.find((property) => Array.isArray(property) && property[0] === 'fn');
  const value: unknown = Array.isArray(found) ? found[3] : null;
  if (typeof value !== 'string') return null;
  const name = value
    .slice(0, REGISTRAR_CHARS_MAX)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim();
  return name === '' ? null : name;
}

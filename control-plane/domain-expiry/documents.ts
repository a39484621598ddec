import type { RegisteredDomain } from './registered-domain.js';

/** What is known of a registration. `api.md` describes each. */
export const REGISTRATION_STATUSES = [
  'pending',
  'known',
  'unsupported',
  'not_told',
  'not_registered',
  'unreachable',
] as const;
export type RegistrationStatus = (typeof REGISTRATION_STATUSES)[number];

/**
 * What the registry says of a domain around its expiry, RFC 8056. `auto_renewed`: it added a year by itself, which the registrar
 * can withdraw for some weeks if the owner does not pay. `deleting`: the registration has ended, and can at most be restored. null: neither.
 */
export type RegistrationPhase = 'auto_renewed' | 'deleting' | null;

/** What the registry said of a domain. */
export interface Registration {
  status: RegistrationStatus;
  /** As the registry last said it: kept while it cannot be asked. null: it never said so. */
  expires_at_ms: number | null;
  phase: RegistrationPhase;
  registrar: string | null;
  /** When the registry last answered; null before. */
  checked_at_ms: number | null;
  /** Why the latest question failed; null if it did not. */
  problem: string | null;
}

/**
 * One document of `domain_registrations`: what registries say of a domain to anyone who asks. All workspaces share it, so that
 * each domain is asked for once; it says nothing of who monitors the domain.
 */
export interface RegistrationDocument extends Registration {
  /** The name of the domain. */
  _id: string;
  /** The registry is not asked again before. */
  next_at_ms: number;
  /** Questions that failed since the last answer. */
  failures: number;
  /** When the registry last said a date; null: never. */
  dated_at_ms: number | null;
  /** An earlier date that would open an incident. It counts once the registry repeats it. */
  doubted_ms: number | null;
  /** Deleted then: `KEPT_MS` after the question that is due, which no workspace has asked. */
  kept_until: Date;
}

/** One document of `monitored_domains`: the registered domain of one or several monitors of a workspace. */
export interface MonitoredDomainDocument extends RegisteredDomain {
  _id: string;
  workspace_id: string;
  /** The ids of its active monitors, the oldest first: at most `MONITOR_IDS_MAX` of `monitors`. */
  monitor_ids: string[];
  monitors: number;
  /** A copy, so that its incidents change in one transaction with it. */
  registration: Registration;
  /** When what is known is due for the next look. */
  next_at_ms: number;
  /** Counts changes of `registration`: if two control planes check the domain at the same time, only one of them saves it. */
  checks: number;
  created_at_ms: number;
}

/** One document of `rdap_servers`: how far the questions to one server are apart, also after a failover. */
export interface RdapServerDocument {
  /** `https://rdap.example`. */
  _id: string;
  /** The next question may be sent then. */
  free_at_ms: number;
  /** Pauses of the server in a row, since it last answered. */
  failures: number;
  /** Why it is left alone; null once it answers. */
  problem: string | null;
  /** Names that it failed to answer for since it last answered: at most `FAILED_NAMES_MAX`. */
  failed_names: string[];
  /** Deleted then. */
  kept_until: Date;
}

/** The one document of `rdap_bootstrap`: IANA's list of the RDAP servers of top-level domains. */
export interface BootstrapDocument {
  _id: 'dns';
  /** Where it is from. Another setting makes it due. */
  url: string;
  /** null before the first success. */
  fetched_at_ms: number | null;
  next_at_ms: number;
  services: { suffixes: string[]; url: string }[];
  /** Where `services` are from; null before the first success. Of another URL, a shorter list is no failure. */
  services_url: string | null;
  /** Why the last download failed; null if it did not. */
  problem: string | null;
}

/** The ids of monitors that a domain names. */
export const MONITOR_IDS_MAX = 100;

export const PENDING: Registration = {
  status: 'pending',
  expires_at_ms: null,
  phase: null,
  registrar: null,
  checked_at_ms: null,
  problem: null,
};

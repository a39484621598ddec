import type { BegunIncident } from '../../incidents/incidents.js';
import type { MonitorDocument } from '../../monitors/documents.js';
import type { MonitorHours } from '../../results/results.js';

/** Sums of checks over some time. */
export interface CheckSums {
  observedMs: number;
  upMs: number;
  /** What was observed, and does not count because of planned maintenance. */
  leftOutMs: number;
  good: number;
  failed: number;
  /** Sum of the response times of the successful checks. */
  responseUs: number;
}

export interface DaySums extends CheckSums {
  /** The first millisecond of the day within the period. */
  fromMs: number;
}

/** A monitor in the period, and in the period of the same length before it. */
export interface MonitorFacts {
  id: string;
  name: string;
  period: CheckSums;
  before: CheckSums;
  /** When it was created, if that was in the period. */
  createdMs: number | null;
  paused: boolean;
  outages: number;
}

export interface CertificateFacts {
  monitor: string;
  subject: string;
  issuer: string;
  grade: string;
  notAfterMs: number;
  daysRemaining: number;
}

/** The registered domain of monitors, as of now. */
export interface DomainFacts {
  name: string;
  status: 'pending' | 'known' | 'unsupported' | 'not_told' | 'not_registered' | 'unreachable';
  registrar: string | null;
  /** As the registry last said it; null if it never did. */
  expiresMs: number | null;
  /** Whole days; negative after the expiry. null without a date. */
  daysRemaining: number | null;
  /** When the registry last answered; null before. */
  checkedMs: number | null;
}

/** A blacklist monitor as of now. */
export interface ReputationFacts {
  target: string;
  status: 'listed' | 'clean' | 'unknown';
  score: number | null;
  checkedMs: number | null;
  listings: { list: string; sinceMs: number }[];
}

/** A backup job in the period. */
export interface BackupFacts {
  id: string;
  name: string;
  tags: string[];
  /** From when on its runs are known. */
  sinceMs: number;
  succeeded: number;
  failed: number;
  missed: number;
  /** The longest time from `sinceMs` to the end of the period, or to the making of the report, without a good run. */
  longestGapMs: number;
  lastGoodMs: number | null;
  /** Of the last good run that named one. */
  sizeBytes: number | null;
}

/** An e-mail domain as of now. */
export interface EmailDomainFacts {
  name: string;
  status: 'passing' | 'warning' | 'failing' | 'unknown';
  score: number | null;
  checkedMs: number | null;
  /** The names of the areas that fail, and of those that should be better. */
  failing: string[];
  warning: string[];
}

/** A plugin of a WordPress site with known vulnerabilities. */
export interface VulnerablePluginFacts {
  name: string;
  version: string;
  vulnerabilities: number;
  /** null: no version is known that has none of them. */
  fixedIn: string | null;
  /** What the licences of the records require to be shown with them. */
  notices: string[];
}

/** A WordPress site as of now, with what happened in the period. */
export interface SiteFacts {
  id: string;
  name: string;
  url: string;
  status: 'connected' | 'silent' | 'disconnected';
  score: number;
  /** Checks. */
  passing: number;
  failing: number;
  unknown: number;
  /** The last request of the plugin. */
  seenMs: number | null;
  /** The names of the checks that fail. */
  improve: string[];
  /** Fixes that were verified in the period. */
  fixes: number;
  /** null: not known. */
  vulnerable: VulnerablePluginFacts[] | null;
}

export interface WordpressFacts {
  sites: (SiteFacts & {
    /** Of its checks, that began in the period. */
    incidents: number;
  })[];
  /** Of all checks of the sites; null without sites. */
  score: number | null;
}

/** The last completed scan of a website in the period. */
export interface ScanFacts {
  /** The origin: `https://shop.example/`. */
  target: string;
  score: number;
  scannedMs: number;
  /** Findings by severity; `unknown` are those that could not be measured. */
  critical: number;
  high: number;
  medium: number;
  low: number;
  unknown: number;
  /** What to do about the worst findings, as sentences. */
  first: string[];
}

export type Severity = BegunIncident['severity'];
export const SEVERITIES: readonly Severity[] = ['critical', 'warning', 'info'];

/** The incidents of one thing, such as a monitor. */
export interface IncidentsOfThing {
  name: string;
  total: number;
  bySeverity: Record<Severity, number>;
  /** Outages of a monitor, among all incidents. */
  outages: number;
  resolved: number;
  /** Of those that were resolved until the end of the period: the sum of the times that it took. */
  recoveryMs: number;
  /** From the beginning of each to its end, at most to the end of the period. */
  totalMs: number;
  longestMs: number;
  /** How many were not resolved at the end of the period. */
  open: number;
}

export interface IncidentSums {
  bySeverity: Record<Severity, number>;
  /** Those that began on each day of the period. */
  days: Record<Severity, number>[];
  total: number;
  /** Outages of monitors, among all incidents. */
  outages: number;
  resolved: number;
  /** Of those that were resolved until the end of the period: the sum of the times that it took. */
  recoveryMs: number;
  open: number;
  longest: { name: string; startedMs: number; lastedMs: number; open: boolean } | null;
  /** The most first. */
  things: IncidentsOfThing[];
}

/**
 * Everything that the sections of a report say, as it was when the report was made. Lists are in the order in which a report
 * shows them: monitors with the most downtime, certificates and domains that end soonest, targets that are listed and backup jobs with the lowest success rate
 * are first.
 */
export interface ReportFacts {
  madeMs: number;
  monitors: MonitorFacts[];
  days: DaySums[];
  period: CheckSums;
  before: CheckSums;
  incidents: IncidentSums;
  incidentsBefore: IncidentSums;
  certificates: CertificateFacts[];
  /** Monitors of https addresses whose certificate was not seen yet. */
  withoutCertificate: number;
  /** The registered domains of active monitors. */
  domains: DomainFacts[];
  reputation: ReputationFacts[];
  backups: BackupFacts[];
  emailDomains: EmailDomainFacts[];
  wordpress: WordpressFacts;
  scans: ScanFacts[];
}

/** What a report reads of other slices, always of one workspace. */
export interface ReportSources {
  /** Returns the oldest first, those newer than `afterId`. */
  monitors(workspaceId: string, afterId: string | null, rowsMax: number): Promise<MonitorDocument[]>;
  hours: MonitorHours;
  /** Reads the incidents that began in [fromMs, toMs), oldest first. */
  incidents(workspaceId: string, fromMs: number, toMs: number): AsyncIterable<BegunIncident>;
  reputation(workspaceId: string, rowsMax: number): Promise<ReputationFacts[]>;
  backups(
    workspaceId: string,
    period: { fromMs: number; toMs: number; nowMs: number },
    rowsMax: number,
  ): Promise<BackupFacts[]>;
  emailDomains(workspaceId: string, rowsMax: number): Promise<EmailDomainFacts[]>;
  domains(workspaceId: string, rowsMax: number): Promise<Omit<DomainFacts, 'daysRemaining'>[]>;
  sites(
    workspaceId: string,
    period: { fromMs: number; toMs: number; nowMs: number },
    rowsMax: number,
  ): Promise<SiteFacts[]>;
  /** Returns the score of all checks of the sites, as the pages and the API show it; null without sites. */
  scoreOfSites(sites: readonly SiteFacts[]): number | null;
  scans(workspaceId: string, period: { fromMs: number; toMs: number }, rowsMax: number): Promise<ScanFacts[]>;
}

/** A report cannot be made of this workspace. The message is a sentence for the person who created it. */
export class ReportProblem extends Error {}

const DAY_S = 86_400;

/** Limits of a plan. `Infinity` means unlimited. */
export interface PlanLimits {
  monitors: number;
  intervalSecondsMin: number;
  locationsPerMonitor: number;
  servers: number;
  sites: number;
  blacklistMonitors: number;
  emailDomains: number;
  /** Look-ups by POST /blacklist/instant-check of one API key or person; all keys of a workspace have twice as many. */
  instantChecksPerMinute: number;
  reportsPerMonth: number;
  reportSchedules: number;
  statusPages: number;
  statusPageSubscribers: number;
  backupJobs: number;
  scansPerDay: number;
  requestsPerMinute: number;
  /** Open streams of GET /v1/events at each control plane. */
  eventStreams: number;
  /** How long raw results and metrics, their minutes and their hours are kept. */
  rawSeconds: number;
  minutesSeconds: number;
  hoursSeconds: number;
  auditSeconds: number;
  scopedKeys: boolean;
  auditExport: boolean;
  singleSignOn: boolean;
}

export const PLAN_NAMES = ['Free', 'Pro', 'Enterprise'] as const;
export type PlanName = (typeof PLAN_NAMES)[number];

export const PLANS: Record<PlanName, PlanLimits> = {
  Free: {
    monitors: 20,
    intervalSecondsMin: 60,
    locationsPerMonitor: 2,
    servers: 2,
    sites: 1,
    blacklistMonitors: 1,
    emailDomains: 1,
    instantChecksPerMinute: 10,
    reportsPerMonth: 1,
    reportSchedules: 1,
    statusPages: 1,
    statusPageSubscribers: 100,
    backupJobs: 3,
    scansPerDay: 2,
    requestsPerMinute: 60,
    eventStreams: 20,
    rawSeconds: DAY_S,
    minutesSeconds: 7 * DAY_S,
    hoursSeconds: 30 * DAY_S,
    auditSeconds: 7 * DAY_S,
    scopedKeys: false,
    auditExport: false,
    singleSignOn: false,
  },
  Pro: {
    monitors: 200,
    intervalSecondsMin: 30,
    locationsPerMonitor: 5,
    servers: 50,
    sites: 20,
    blacklistMonitors: 50,
    emailDomains: 50,
    instantChecksPerMinute: 30,
    reportsPerMonth: 50,
    reportSchedules: 50,
    statusPages: 10,
    statusPageSubscribers: 2_000,
    backupJobs: 50,
    scansPerDay: 20,
    requestsPerMinute: 300,
    eventStreams: 100,
    rawSeconds: 7 * DAY_S,
    minutesSeconds: 30 * DAY_S,
    hoursSeconds: 365 * DAY_S,
    auditSeconds: 90 * DAY_S,
    scopedKeys: false,
    auditExport: false,
    singleSignOn: false,
  },
  Enterprise: {
    monitors: 50_000,
    intervalSecondsMin: 10,
    locationsPerMonitor: 5,
    servers: 5_000,
    sites: 500,
    blacklistMonitors: 1_000,
    emailDomains: 1_000,
    instantChecksPerMinute: 60,
    reportsPerMonth: Number.POSITIVE_INFINITY,
    reportSchedules: 500,
    statusPages: 100,
    statusPageSubscribers: 50_000,
    backupJobs: 1_000,
    scansPerDay: 200,
    requestsPerMinute: 1_200,
    eventStreams: 500,
    rawSeconds: 30 * DAY_S,
    minutesSeconds: 90 * DAY_S,
    hoursSeconds: 2 * 365 * DAY_S,
    auditSeconds: 365 * DAY_S,
    scopedKeys: true,
    auditExport: true,
    singleSignOn: true,
  },
};

/** Returns which features a plan includes, by their names in the API. */
export function featuresOf(plan: PlanName) {
  const { scopedKeys, auditExport, singleSignOn } = PLANS[plan];
  return { scoped_keys: scopedKeys, audit_export: auditExport, single_sign_on: singleSignOn };
}

/** Reads the plans of workspaces. Workspaces that do not exist are not in the map. */
export interface WorkspacePlans {
  plans(workspaceIds: readonly string[]): Promise<ReadonlyMap<string, PlanName>>;
}

import { listingOf, monitorOf } from '../../blacklist/documents.js';
import { storeServerWithHistory } from '../../servers/with-history.js';
import { buildCertificate, buildPast } from '../monitor-history.js';
import type { WorkspaceInBrowser } from '../workspace-in-browser.js';
import { fillBackupJobs } from './hostile-backups.js';
import { fillEmailDomains } from './hostile-domain.js';
import { hostileIncident } from './hostile-incident.js';
import { fillInstallation } from './hostile-installation.js';
import { ALL, LONG, MARKUP, NAMES, TAGS } from './hostile-names.js';
import { fillPeople } from './hostile-people.js';
import { fillScans } from './hostile-scan.js';
import { fillSchedules } from './hostile-schedules.js';

const MINUTE_MS = 60_000;
const LOCATIONS = ['fra', 'nyc', 'sin'];

/** Ids of objects whose names are hostile, by the first part of the id. */
export type HostileIds = Readonly<
  Record<
    | 'mon'
    | 'srv'
    | 'inc'
    | 'blm'
    | 'eml'
    | 'bkp'
    | 'sch'
    | 'scn'
    | 'chan'
    | 'rule'
    | 'mnt'
    | 'site'
    | 'stp'
    | 'spi'
    | 'ws',
    string
  >
>;

/** Fills the workspace with objects of each kind that have names to break pages. */
export async function fillHostile(world: WorkspaceInBrowser): Promise<HostileIds> {
  const post = poster(world);
  await world.plane.api('PATCH', '/v1/workspace', { name: ALL });
  const chan = await post('/v1/channels', {
    type: 'webhook',
    name: ALL,
    config: { url: 'http://127.0.0.1:8080/hook' },
  });
  const mon = await fillMonitors(world);
  const srv = await fillServers(world);
  const blm = await fillBlacklists(world);
  const eml = await fillEmailDomains(world);
  const scn = await fillScans(world);
  const bkp = await fillBackupJobs(world);
  const rule = await post('/v1/alert-rules', ruleOf(ALL, srv, chan));
  await post('/v1/alert-rules', { ...ruleOf(LONG, srv, chan), server_ids: undefined, tags: TAGS });
  const mnt = await fillMaintenance(post, mon, srv);
  const site = await post('/api/v1/wp/admin/sites', { name: ALL, url: `https://wordpress.example/${'w'.repeat(300)}` });
  const stp = await fillStatusPages(post, mon, srv);
  const spi = await post(`/v1/status-pages/${stp}/incidents`, { title: ALL.slice(0, 150), text: LONG });
  const hook = { type: 'webhook', url: `http://127.0.0.1:8080/${'w'.repeat(300)}` };
  await post(`/v1/status-pages/${stp}/subscribers`, hook);
  await post('/api/v1/client-reports', { title: ALL, client_name: ALL });
  const sch = await fillSchedules(world, post);
  await post('/v1/audit-logs/forwarders', { name: ALL, target: 'syslog+tcp://127.0.0.1:9' });
  const incidents = NAMES.map((name) => hostileIncident(world.workspaceId, { monitor: mon, name }));
  const past = hostileIncident(world.workspaceId, { monitor: mon, name: ALL, isOver: true });
  await world.mongo.db.collection<(typeof incidents)[number]>('incidents').insertMany([...incidents, past]);
  await fillPeople(world);
  const ws = await fillInstallation(world);
  return { mon, srv, blm, eml, bkp, sch, scn, chan, rule, mnt, site, stp, spi, ws, inc: incidents[0]?._id ?? '' };
}

type Post = (path: string, body: unknown) => Promise<string>;

/** Returns a function that creates something by the API and resolves to its id. */
function poster({ plane }: WorkspaceInBrowser): Post {
  return async (path, body) => {
    const answer = await plane.api('POST', path, body);
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body.data.id;
  };
}

const ruleOf = (name: string, server: string, channel: string) => ({
  ...{ name, type: 'metric', metric: 'cpu_percent', operator: '>', threshold: 92.5, for_seconds: 600 },
  ...{ severity: 'critical', server_ids: [server], channels: [channel] },
});

/** Windows under way and planned. Returns the first. */
async function fillMaintenance(post: Post, monitor: string, server: string): Promise<string> {
  const recurrence = { cron: '0 2 29 2 *', time_zone: 'America/Argentina/ComodRivadavia', duration_minutes: 10_080 };
  await post('/v1/maintenance-windows', { name: LONG, tags: TAGS, recurrence });
  const [starts_at, ends_at] = [-MINUTE_MS, 60 * MINUTE_MS].map((ms) => new Date(Date.now() + ms).toISOString());
  return post('/v1/maintenance-windows', {
    ...{ name: ALL, starts_at, ends_at, monitor_ids: [monitor], server_ids: [server], tags: TAGS },
  });
}

/** A page whose components have names to break pages. Returns its id. */
async function fillStatusPages(post: Post, monitor: string, server: string): Promise<string> {
  const name = (text: string) => text.slice(0, 80);
  const [tag = ''] = TAGS;
  const components = [
    { name: name(ALL), description: LONG.slice(0, 200), monitor_id: monitor },
    { name: name(LONG), server_id: server },
    { name: name(MARKUP), tag, show_each: true },
  ];
  const groups = [{ name: name(ALL), components }, { components: [] }];
  return post('/v1/status-pages', {
    title: ALL.slice(0, 100),
    slug: 'w'.repeat(63),
    description: LONG.slice(0, 500),
    groups,
  });
}

async function fillMonitors(world: WorkspaceInBrowser): Promise<string> {
  const { mongo, workspaceId } = world;
  const post = poster(world);
  const ids: string[] = [];
  for (const name of NAMES) {
    const url = `http://127.0.0.1:9/${'w'.repeat(300)}?q=<img/src=x/onerror=alert(1)>`;
    const monitor = { name, type: 'http', url, tags: TAGS, locations: LOCATIONS, interval_seconds: 300 };
    ids.push(await post('/v1/monitors', monitor));
  }
  const [monitorId = ''] = ids;
  await buildPast(mongo, {
    ...{ workspaceId, monitorId, locations: LOCATIONS, intervalMs: 5 * MINUTE_MS },
    ...{ rawDays: 1, days: 30, unobservedDaysAgo: 20 },
    outages: [{ agoMs: 5 * 3_600_000, lastedMs: 40 * MINUTE_MS, locations: LOCATIONS }],
  });
  await buildCertificate(mongo, monitorId);
  await post('/v1/monitors/bulk', { operation: 'add_tags', ids, tags: ['<b>bulk</b>'] });
  return monitorId;
}

async function fillServers({ mongo, workspaceId }: WorkspaceInBrowser): Promise<string> {
  const hostile = { workspace_id: workspaceId, tags: [...TAGS], os: MARKUP, kernel: LONG };
  for (const name of NAMES.slice(1)) await storeServerWithHistory(mongo, { ...hostile, name, hostname: name });
  const rule = { ...hostile, name: ALL, hostname: ALL };
  return storeServerWithHistory(mongo, rule);
}

async function fillBlacklists({ mongo, workspaceId }: WorkspaceInBrowser): Promise<string> {
  const [nowMs, isWatched] = [Date.now(), { workspace_id: workspaceId, frequency: 'daily' as const }];
  const last = { check_id: 'blc_01kf5e6q0h3v8r2m9x4t7c1z5n', checked_at_ms: nowMs, score: 50, rating: null };
  const monitor = monitorOf({
    ...{ ...isWatched, target: `${`${'w'.repeat(60)}.`.repeat(4)}test` },
    listings: [listingOf({ reason: ALL, provider_name: 'Spamhaus ZEN', meanings: [ALL] })],
    last: { ...last, listed: 1, clean: 1, responding: 2, asked: 12 },
  });
  await mongo.db
    .collection<typeof monitor>('blacklist_monitors')
    .insertMany([monitor, monitorOf({ ...isWatched, target: '198.100.144.9', type: 'ip' })]);
  return monitor._id;
}

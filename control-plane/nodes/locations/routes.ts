import { isIP } from 'node:net';
import { type Clock, toIso } from '../../../kernel/clock.js';
import { invalidField, notFound } from '../../errors.js';
import type { ListOrder, Pager } from '../../http/paging.js';
import { mutationRoute, type Route, readRoute } from '../../http/route.js';
import type { LocationDocument } from '../documents.js';
import type { PresenceStore } from '../presence/store.js';
import { AdminLocation, CreateLocation, Location, LocationCode, PageQuery, UpdateLocation } from '../schema.js';
import type { LocationCache } from './cache.js';
import { addLocation, changeLocation } from './change.js';
import { latenessOf, type Percentiles } from './lateness.js';
import { type LocationRemovalNeeds, removeLocation } from './remove.js';
import type { LocationPatch, LocationPosition } from './store.js';

const HOUR_MS = 3_600_000;
const PORT_MAX = 65_535;
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/i;

const BY_POSITION: ListOrder<LocationDocument, LocationPosition> = {
  keyOf: (location) => [location.position, location._id],
  positionOf: ([position, code]) => ({ position: Number(position), code: String(code) }),
};

/** The state of locations that verdicts determine. */
export interface LocationHealth {
  /**
   * Returns the times from the first failed check to the confirmed incident, for incidents of the last hour; null
   * without one.
   */
  detectionDelay(code: string): Promise<Percentiles | null> | Percentiles | null;
  /** Returns whether the votes of the location are ignored. */
  isQuarantined(code: string): boolean;
}

/** What other slices know of locations. */
export type LocationUse = LocationHealth & Pick<LocationRemovalNeeds, 'isMonitored'>;

interface LocationRoutesNeeds extends LocationHealth, LocationRemovalNeeds {
  presenceStore: PresenceStore;
  locations: LocationCache;
  pager: Pager;
  clock: Clock;
  /** Called after the commit of a change. */
  locationsChanged(): void;
}

export function createLocationRoutes(needs: LocationRoutesNeeds): Route[] {
  const { store, locations, pager } = needs;
  const viewForOperators = (location: LocationDocument): AdminLocation => ({
    code: location._id,
    city: location.city,
    region: location.region,
    canary_targets: location.canary_targets,
    connected_probes: locations.presence(location._id).checkingProbes,
    quarantined: needs.isQuarantined(location._id),
    created_at: toIso(location.created_at_ms),
    updated_at: toIso(location.updated_at_ms),
  });
  return [
    readRoute({
      method: 'GET',
      path: '/v1/locations',
      access: 'any',
      tag: 'Locations',
      summary: 'List check locations',
      description: 'In the order of their creation.',
      query: PageQuery,
      replies: { 200: Location },
      list: true,
      async handle(input) {
        const page = pager.open('locations', BY_POSITION, input);
        return page.reply(await store.page(page.request), (rows) => Promise.all(rows.map((row) => view(needs, row))));
      },
    }),
    readRoute({
      method: 'GET',
      path: '/v1/admin/locations',
      access: 'operator',
      tag: 'Operators',
      summary: 'List check locations with their canary targets',
      query: PageQuery,
      replies: { 200: AdminLocation },
      list: true,
      async handle(input) {
        const page = pager.open('admin_locations', BY_POSITION, input);
        return page.reply(await store.page(page.request), (rows) => rows.map(viewForOperators));
      },
    }),
    readRoute({
      method: 'GET',
      path: '/v1/admin/locations/{code}',
      access: 'operator',
      tag: 'Operators',
      summary: 'Get a check location',
      params: LocationCode,
      replies: { 200: AdminLocation },
      async handle({ params }) {
        const location = await store.find(null, params.code);
        if (location === null) throw notFound('location');
        return { status: 200, data: viewForOperators(location), version: location.version };
      },
    }),
    ...mutations(needs, viewForOperators),
  ];
}

function mutations(needs: LocationRoutesNeeds, view: (location: LocationDocument) => AdminLocation): Route[] {
  const { clock, locationsChanged } = needs;
  return [
    mutationRoute({
      method: 'POST',
      path: '/v1/admin/locations',
      access: 'operator',
      tag: 'Operators',
      summary: 'Add a check location',
      body: CreateLocation,
      replies: { 201: AdminLocation },
      async handle({ actor, body }, tx) {
        requireValidTargets(body.canary_targets);
        const location = await addLocation(needs, tx, actor, body, clock.now());
        tx.afterCommit(locationsChanged);
        const path = `/v1/admin/locations/${location._id}`;
        return { status: 201, data: view(location), location: path, version: location.version };
      },
    }),
    mutationRoute({
      method: 'PATCH',
      path: '/v1/admin/locations/{code}',
      access: 'operator',
      tag: 'Operators',
      summary: 'Update a check location',
      params: LocationCode,
      body: UpdateLocation,
      replies: { 200: AdminLocation },
      async handle({ actor, params, body, ifVersion }, tx) {
        requireValidTargets(body.canary_targets);
        const patch: LocationPatch = { ...body };
        const change = { code: params.code, patch, ifVersion, nowMs: clock.now() };
        const location = await changeLocation(needs, tx, actor, change);
        tx.afterCommit(locationsChanged);
        return { status: 200, data: view(location), version: location.version };
      },
    }),
    mutationRoute({
      method: 'DELETE',
      path: '/v1/admin/locations/{code}',
      access: 'operator',
      tag: 'Operators',
      summary: 'Delete a check location',
      description: 'Returns 409 `conflict` while monitors are checked from it or it has probes. Supports `If-Match`.',
      params: LocationCode,
      replies: { 204: null },
      errors: ['conflict'],
      async handle({ actor, params, ifVersion }, tx) {
        await removeLocation(needs, tx, actor, { code: params.code, ifVersion });
        tx.afterCommit(locationsChanged);
        return { status: 204 };
      },
    }),
  ];
}

async function view(
  { presenceStore, locations, detectionDelay }: LocationRoutesNeeds,
  row: LocationDocument,
): Promise<Location> {
  const [samples, delay] = await Promise.all([presenceStore.lateness(row._id, HOUR_MS), detectionDelay(row._id)]);
  return {
    code: row._id,
    city: row.city,
    region: row.region,
    connected_probes: locations.presence(row._id).checkingProbes,
    schedule_lateness: latenessOf(samples),
    detection_delay: delay,
  };
}

function requireValidTargets(targets: readonly string[] | undefined): void {
  for (const [index, target] of (targets ?? []).entries()) {
    if (!isCanaryTarget(target)) {
      throw invalidField(
        `/canary_targets/${index}`,
        'must be an http:// or https:// URL, tcp://host:port, or a host to ping',
      );
    }
  }
}

function isCanaryTarget(target: string): boolean {
  if (isIP(target) !== 0 || HOST_NAME.test(target)) return true;
  if (!URL.canParse(target) || /[\s\\]/.test(target)) return false;
  const url = new URL(target);
  if (url.hostname === '') return false;
  if (url.protocol !== 'tcp:') return url.protocol === 'http:' || url.protocol === 'https:';
  const port = Number(url.port);
  return port >= 1 && port <= PORT_MAX && (url.pathname === '' || url.pathname === '/') && url.search === '';
}

import type { MonitorTarget } from '../../monitors/monitors.js';
import { targetHost } from '../../monitors/monitors.js';
import { MONITOR_IDS_MAX, type MonitoredDomainDocument } from '../documents.js';
import { type RegisteredDomain, registeredDomainOf } from '../registered-domain.js';

/** A domain that a workspace should have, with its active monitors. */
export type WantedDomain = RegisteredDomain & Pick<MonitoredDomainDocument, 'monitor_ids' | 'monitors'>;

/** Adds the domain of a monitor to those of its workspace, by name. */
export function addTarget(wanted: Map<string, WantedDomain>, { _id, type, url }: MonitorTarget): void {
  const host = targetHost(type, url);
  const domain = host === null ? null : registeredDomainOf(host);
  if (domain === null) return;
  const known = wanted.get(domain.name) ?? { ...domain, monitor_ids: [], monitors: 0 };
  known.is_of_others &&= domain.is_of_others;
  known.monitors++;
  if (known.monitor_ids.length < MONITOR_IDS_MAX) known.monitor_ids.push(_id);
  wanted.set(domain.name, known);
}

/**
 * Returns how the domains of a workspace differ from those that it should have. `isOwnerChanged`: the workspace can renew the
 * domain and could not before, or the other way round. Pure.
 */
export function differenceOf(wanted: ReadonlyMap<string, WantedDomain>, known: readonly MonitoredDomainDocument[]) {
  const names = new Set(known.map(({ name }) => name));
  return {
    added: [...wanted.values()].filter(({ name }) => !names.has(name)),
    removed: known.filter(({ name }) => !wanted.has(name)),
    changed: known.flatMap((domain) => {
      const own = wanted.get(domain.name);
      if (own === undefined || isSame(own, domain)) return [];
      const { monitor_ids, monitors, is_of_others } = own;
      const isOwnerChanged = is_of_others !== domain.is_of_others;
      const { _id, workspace_id } = domain;
      return [{ _id, workspace_id, monitor_ids, monitors, is_of_others, isOwnerChanged }];
    }),
  };
}

type Monitors = Pick<MonitoredDomainDocument, 'monitor_ids' | 'monitors' | 'is_of_others'>;

function isSame(a: Monitors, b: Monitors): boolean {
  if (a.monitors !== b.monitors || a.is_of_others !== b.is_of_others) return false;
  return a.monitor_ids.every((id, at) => id === b.monitor_ids[at]);
}

import type { MonitorDocument } from '../../monitors/documents.js';
import type { ReportOrder } from '../documents.js';
import type { ReputationFacts } from './facts.js';

/** Returns the monitors that a report is about: those with one of the ids or one of the tags, or all. */
export function chosenMonitors(monitors: MonitorDocument[], chosen: ReportOrder['monitors']): MonitorDocument[] {
  if (chosen === null) return monitors;
  const [ids, names] = [new Set(chosen.ids), new Set(chosen.tags)];
  return monitors.filter(({ _id, tags }) => ids.has(_id) || tags.some((tag) => names.has(tag)));
}

/**
 * Returns the blacklist targets that belong to chosen monitors: their hosts, and domains above these; all for null. A report for one client
 * must not name those of another one.
 */
export function targetsOf(
  reputation: ReputationFacts[],
  monitors: readonly MonitorDocument[] | null,
): ReputationFacts[] {
  if (monitors === null) return reputation;
  const hosts = monitors.flatMap(({ url }) => hostOf(url) ?? []);
  return reputation.filter(({ target }) => hosts.some((host) => host === target || host.endsWith(`.${target}`)));
}

/** Returns the host of a target: `https://www.example.com/`, `www.example.com:25`, `[2001:db8::1]:25` or `192.0.2.1`. */
export function hostOf(target: string): string | null {
  const text = target.includes('://') ? target : `tcp://${/^[^[].*:.*:/.test(target) ? `[${target}]` : target}`;
  if (!URL.canParse(text)) return null;
  return new URL(text).hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase();
}

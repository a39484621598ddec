// Rules that match the same offline server or the same disk share one incident, so only the subject of a metric rule
// contains the rule.

/** The subject of a metric rule on a server. */
export function metricSubject(ruleId: string, serverId: string): string {
  return `rule:${ruleId}:${serverId}`;
}

export function offlineSubject(serverId: string): string {
  return `server:${serverId}:offline`;
}

export function diskSubject(serverId: string, mount: string): string {
  return `server:${serverId}:disk_full:${mount}`;
}

/** What the subject of an incident on a server identifies. */
export type ServerSubject =
  | { type: 'metric'; ruleId: string; serverId: string }
  | { type: 'server_offline'; serverId: string }
  | { type: 'disk_full'; serverId: string; mount: string };

/** Returns null for any other subject. */
export function parseSubject(subject: string): ServerSubject | null {
  const [kind, first = '', second = '', ...rest] = subject.split(':');
  if (kind === 'rule') return { type: 'metric', ruleId: first, serverId: second };
  if (kind !== 'server') return null;
  if (second === 'offline') return { type: 'server_offline', serverId: first };
  return second === 'disk_full' ? { type: 'disk_full', serverId: first, mount: rest.join(':') } : null;
}

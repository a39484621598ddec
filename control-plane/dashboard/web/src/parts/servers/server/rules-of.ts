import type { AlertRule, Server } from '../../../api/types.ts';

type Rule = Pick<AlertRule, 'type' | 'server_ids' | 'tags'>;

/** The types of rules that are not about servers. */
const OTHER_TYPES: ReadonlySet<AlertRule['type']> = new Set([
  'blacklist_listed',
  'backup_missed',
  'email_score_fell',
  'domain_expiring',
  'wordpress_check_failed',
]);

/** Returns the rules that apply to a server: those that name it or one of its tags, and those for all servers. Pure. */
export function rulesOf<One extends Rule>(rules: readonly One[], server: Pick<Server, 'id' | 'tags'>): One[] {
  return rules.filter(({ type, server_ids: ids, tags }) => {
    if (OTHER_TYPES.has(type)) return false;
    if (ids !== null) return ids.includes(server.id);
    return tags === null || tags.some((tag) => server.tags.includes(tag));
  });
}

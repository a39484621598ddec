import { tagsOf } from '../../components/form/tags.ts';
import type { RuleInput } from './input.ts';
import { texts as metricTexts } from './metric-texts/texts.ts';
import { metricOf } from './metrics.ts';
import { texts } from './texts/texts.ts';

/** Names of objects by their ids. An object that is not in it has been deleted, or is not loaded yet. */
export type Names = ReadonlyMap<string, string>;

const MINUTE_MS = 60_000;

/** Returns a rule in words: "When CPU is above 90 % for 5 min on a server tagged db: critical, notifies Slack." */
export function ruleSentence(input: RuleInput, names: Names): string {
  return texts.sentence(
    conditionText(input, targetText(input, names)),
    texts.severities[input.severity],
    notifyText(input, names),
  );
}

function conditionText(input: RuleInput, target: string): string {
  const forMs = Number(input.for_minutes.replace(',', '.')) * MINUTE_MS || 0;
  switch (input.type) {
    case 'metric': {
      const metric = metricOf(input.metric);
      const label = metric === null ? input.metric : metricTexts.metrics[metric.name];
      const value = metricTexts.values[metric?.unit ?? 'count'](input.threshold);
      const device = input.device.trim();
      const whole = device === '' ? label : metricTexts.ofDevice(label, device);
      return texts.metricCondition(whole, `${metricTexts.operators[input.operator]} ${value}`, forMs, target);
    }
    case 'server_offline':
      return texts.offlineCondition(forMs, target);
    case 'disk_full':
      return texts.diskCondition(Number(input.within_hours) || 0, target);
    case 'blacklist_listed':
      return texts.blacklistCondition(target);
    case 'backup_missed':
      return texts.backupCondition(target);
    case 'email_score_fell':
      return texts.emailCondition;
    case 'domain_expiring':
      return texts.domainCondition;
    case 'wordpress_check_failed':
      return texts.wordpressCondition;
  }
}

function targetText({ type, targets, tags, chosen }: RuleInput, names: Names): string {
  if (type === 'blacklist_listed') {
    return targets === 'chosen' ? texts.ofTargets(namesOf(chosen, names)) : texts.allBlacklists;
  }
  if (type === 'backup_missed') {
    return targets === 'chosen' ? texts.ofBackups(namesOf(chosen, names)) : texts.allBackups;
  }
  if (targets === 'tags') return texts.onTags(tagsOf(tags));
  return targets === 'chosen' ? texts.onServers(namesOf(chosen, names)) : texts.allServers;
}

function notifyText({ notify, channels }: RuleInput, names: Names): string {
  if (notify === 'all') return texts.notifiesAll;
  return notify === 'none' || channels.length === 0 ? texts.notifiesNobody : texts.notifies(namesOf(channels, names));
}

const NAMES_MAX = 3;

function namesOf(ids: readonly string[], names: Names): string[] {
  const shown = ids.slice(0, NAMES_MAX).map((id) => names.get(id) ?? texts.deletedObject);
  return ids.length > NAMES_MAX ? [...shown, texts.others(ids.length - NAMES_MAX)] : shown;
}

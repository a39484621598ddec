import { type RuleInput, tagsIn } from './input.ts';
import { metricOf } from './metrics.ts';
import { texts } from './texts/texts.ts';

/** Names of objects by their ids. An object that is not in it has been deleted, or is not loaded yet. */
export type Names = ReadonlyMap<string, string>;

const MINUTE_MS = 60_000;

/** Returns a rule in words: "CPU above 90 % for 5 min on servers tagged db → critical, notifies Slack". */
export function ruleSentence(input: RuleInput, names: Names): string {
  return texts.sentence(
    conditionText(input),
    targetText(input, names),
    texts.severities[input.severity],
    notifyText(input, names),
  );
}

function conditionText(input: RuleInput): string {
  const forMs = Number(input.for_minutes.replace(',', '.')) * MINUTE_MS || 0;
  switch (input.type) {
    case 'metric': {
      const metric = metricOf(input.metric);
      const label = metric === null ? input.metric : texts.metrics[metric.name];
      const value = texts.values[metric?.unit ?? 'count'](input.threshold);
      const device = input.device.trim();
      const whole = device === '' ? label : texts.ofDevice(label, device);
      return texts.metricCondition(whole, texts.operators[input.operator], value, forMs);
    }
    case 'server_offline':
      return texts.offlineCondition(forMs);
    case 'disk_full':
      return texts.diskCondition(Number(input.within_hours) || 0);
    case 'blacklist_listed':
      return texts.blacklistCondition;
  }
}

function targetText({ type, targets, tags, chosen }: RuleInput, names: Names): string {
  const isBlacklist = type === 'blacklist_listed';
  if (targets === 'tags' && !isBlacklist) return texts.onTags(tagsIn(tags));
  if (targets !== 'chosen') return isBlacklist ? texts.allBlacklists : texts.allServers;
  return isBlacklist ? texts.ofTargets(namesOf(chosen, names)) : texts.onServers(namesOf(chosen, names));
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

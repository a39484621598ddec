import { toIso } from '../../kernel/clock.js';
import type { NotificationSent } from '../notifications/notifications.js';
import type { TimelineRow } from '../timeline/timeline.js';
import {
  type AnyDecision,
  type DecisionRecord,
  type IncidentDocument,
  isByVotes,
  isOfServer,
  type ListingDecisionRecord,
  type ListingLook,
  type RuleDecisionRecord,
} from './documents.js';
import type { Decision, Incident, IncidentDetail, ListingDecision, RuleDecision, TimelineLine } from './schema.js';

const MS_PER_SECOND = 1_000;

/** The incident in the API's shape, as lists and webhooks show it. `told`: what channels were told of it. */
export function incidentView(incident: IncidentDocument, told: readonly NotificationSent[]): Incident {
  return {
    id: incident._id,
    kind: incident.kind,
    monitor_id: incident.monitor_id,
    monitor_name: incident.monitor_name,
    resource: incident.resource,
    status: incident.status,
    severity: incident.severity,
    message: incident.message,
    started_at: toIso(incident.started_at_ms),
    resolved_at: optionalIso(incident.resolved_at_ms),
    duration_seconds:
      incident.resolved_at_ms === null
        ? null
        : Math.max(0, Math.round((incident.resolved_at_ms - incident.started_at_ms) / MS_PER_SECOND)),
    resolution: incident.resolution,
    acknowledged_at: optionalIso(incident.acknowledged_at_ms),
    acknowledged_by: incident.acknowledged_by,
    silenced_at: optionalIso(incident.silenced_at_ms),
    runbook_url: incident.runbook_url,
    notifications_sent: told.map(notificationView),
  };
}

/** With the history and the decisions. */
export function incidentDetailView(incident: IncidentDocument, told: readonly NotificationSent[]): IncidentDetail {
  return {
    ...incidentView(incident, told),
    events: incident.events.map((event) => ({
      at: toIso(event.at_ms),
      type: event.type,
      message: event.message,
      actor: event.actor,
    })),
    decision: incident.decision === null ? null : anyDecisionView(incident.decision, told),
    recovery: incident.recovery === null ? null : anyDecisionView(incident.recovery, []),
  };
}

/** Changes with everything that the view shows. */
export function incidentVersion(incident: IncidentDocument, told: readonly NotificationSent[]): number {
  return incident.updated_at_ms + told.reduce((sum, sent) => sum + 1 + sent.attempts, 0);
}

function notificationView(sent: NotificationSent): Incident['notifications_sent'][number] {
  return {
    channel: sent.channel,
    channel_id: sent.channel_id,
    event: sent.event,
    sent_at: optionalIso(sent.sent_at_ms),
    status: sent.status,
    attempts: sent.attempts,
    error: sent.error,
  };
}

function anyDecisionView(
  record: AnyDecision,
  sent: readonly NotificationSent[],
): Decision | RuleDecision | ListingDecision {
  if (isByVotes(record)) return decisionView(record, sent);
  return isOfServer(record) ? ruleDecisionView(record, sent) : listingDecisionView(record, sent);
}

function listingDecisionView(record: ListingDecisionRecord, sent: readonly NotificationSent[]): ListingDecision {
  const { rule, listing, answer, times } = record;
  const { first, confirmed, ...listed } = listing;
  return {
    rule: { ...rule },
    other_rules: record.other_rules.map(({ id, name }) => ({ id, name })),
    listing: { ...listed, first: lookView(first), confirmed: lookView(confirmed) },
    answer: answer === null ? null : { ...lookView(answer), status: answer.status, policy: answer.policy },
    reason: record.reason,
    times: {
      listed_since: toIso(times.listed_since_ms),
      evaluated_at: toIso(times.evaluated_at_ms),
      opened_at: optionalIso(times.opened_at_ms),
      recovered_at: optionalIso(times.recovered_at_ms),
      notifications: deliveries(sent).map(({ sentAtMs, ...one }) => ({
        ...one,
        after_listed_ms: elapsedMs(times.listed_since_ms, sentAtMs),
      })),
    },
  };
}

function lookView({ at_ms, codes, reason }: ListingLook): ListingDecision['listing']['first'] {
  return { at: toIso(at_ms), codes, reason };
}

function ruleDecisionView(record: RuleDecisionRecord, sent: readonly NotificationSent[]): RuleDecision {
  const { rule, forecast, times } = record;
  return {
    rule: { ...rule },
    other_rules: record.other_rules.map(({ id, name }) => ({ id, name })),
    samples: record.samples.map(({ at_ms, value }) => ({ t: toIso(at_ms), v: value })),
    value: record.value,
    forecast:
      forecast === null
        ? null
        : {
            full_at: toIso(forecast.full_at_ms),
            points_per_hour: forecast.points_per_hour,
            observed_hours: forecast.observed_hours,
          },
    reason: record.reason,
    times: {
      breaching_since: optionalIso(times.breaching_since_ms),
      evaluated_at: toIso(times.evaluated_at_ms),
      opened_at: optionalIso(times.opened_at_ms),
      recovered_at: optionalIso(times.recovered_at_ms),
      notifications: deliveries(sent).map(({ sentAtMs, ...one }) => ({
        ...one,
        after_breach_ms: elapsedMs(times.breaching_since_ms, sentAtMs),
      })),
    },
  };
}

function decisionView(record: DecisionRecord, sent: readonly NotificationSent[]): Decision {
  const { rule, before, times, counts } = record;
  return {
    rule: {
      version: rule.version,
      confirmations: rule.confirmations,
      required_down_votes: rule.required_down_votes,
      retries: rule.retries,
      interval_seconds: rule.interval_seconds,
      vote_valid_ms: rule.vote_valid_ms,
      assigned_locations: rule.assigned_locations ?? record.votes.length,
    },
    before: {
      status: before?.status ?? 'up',
      first_failed_at: optionalIso(before?.first_failed_at_ms),
      recovering_since: optionalIso(before?.recovering_since_ms),
      first_good_round_at: optionalIso(before?.recovery_mark_ms),
    },
    evaluated_at: optionalIso(record.evaluated_at_ms),
    votes: record.votes.map(voteView),
    counts: { ...counts, retrying: counts.retrying ?? 0, doubted: counts.doubted ?? 0 },
    outcome: record.outcome,
    reason: record.reason,
    times: {
      first_failed_at: optionalIso(times.first_failed_at_ms),
      confirmed_at: optionalIso(times.confirmed_at_ms),
      opened_at: optionalIso(times.opened_at_ms),
      recovered_at: optionalIso(times.recovered_at_ms),
      notifications: deliveries(sent).map(({ sentAtMs, ...one }) => ({
        ...one,
        after_first_failed_ms: elapsedMs(times.first_failed_at_ms, sentAtMs),
      })),
    },
  };
}

function voteView(vote: DecisionRecord['votes'][number]): Decision['votes'][number] {
  const { result } = vote;
  return {
    location: vote.location,
    vote: vote.vote,
    abstained: vote.abstained,
    retrying: vote.retrying,
    held_from: vote.held_from ?? null,
    doubted: vote.doubted ?? false,
    result:
      result === null
        ? null
        : {
            id: result.result_id,
            checked_at: toIso(result.checked_at_ms),
            up: result.up,
            attempt: result.attempt,
            response_time_ms: result.response_time_ms,
            error: result.error,
          },
  };
}

/** Those that were sent, in the members that every decision shows. */
function deliveries(sent: readonly NotificationSent[]) {
  return sent.flatMap(({ channel, channel_id, event, sent_at_ms }) =>
    sent_at_ms === null ? [] : [{ channel, channel_id, event, sent_at: toIso(sent_at_ms), sentAtMs: sent_at_ms }],
  );
}

function elapsedMs(fromMs: number | null, toMs: number): number | null {
  return fromMs === null ? null : Math.round(toMs - fromMs);
}

export function timelineView(row: TimelineRow): TimelineLine {
  return {
    id: row.id,
    at: toIso(row.atMs),
    type: row.type,
    resource: row.resource,
    message: row.message,
    actor: row.actor,
    metadata: row.metadata,
  };
}

function optionalIso(atMs: number | null | undefined): string | null {
  return atMs === null || atMs === undefined ? null : toIso(atMs);
}

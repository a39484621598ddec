import { type Static, Type } from 'typebox';
import { DECISION_TIMES, decidingRule, NullableTime, OtherRules, Time } from '../../alert-rules/decision/schema.js';
import { SENT_NOTIFICATION } from '../../incidents/decision-view.js';
import { PROBLEMS, RUN_STATUSES } from '../documents.js';

const NullableText = Type.Union([Type.String(), Type.Null()]);
const NullableInteger = Type.Union([Type.Integer(), Type.Null()]);
const NullableProblem = Type.Union([Type.Enum([...PROBLEMS]), Type.Null()]);
const closed = { additionalProperties: false };

/** Why a backup job opened an incident, with the run and the settings that decided it. */
export const BackupDecision = Type.Object(
  {
    rule: decidingRule('backup_missed'),
    other_rules: OtherRules,
    problem: Type.Union([Type.Enum([...PROBLEMS]), Type.Null()], { description: 'null in `recovery`.' }),
    schedule: Type.Object({ cron: Type.String(), time_zone: Type.String() }, closed),
    grace_seconds: Type.Integer(),
    max_run_seconds: Type.Integer(),
    min_size_bytes: NullableInteger,
    max_shrink_percent: NullableInteger,
    run: Type.Object(
      {
        id: Type.String(),
        status: Type.Enum([...RUN_STATUSES]),
        problem: NullableProblem,
        expected_at: NullableTime,
        started_at: NullableTime,
        ended_at: NullableTime,
        exit_code: NullableInteger,
        size_bytes: NullableInteger,
        sha256: NullableText,
        log: NullableText,
      },
      { ...closed, description: 'The run that decided it; in `recovery`, the good one.' },
    ),
    compared_bytes: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Of a shrunken backup: the size of the last good one.',
    }),
    last_good_at: NullableTime,
    reason: Type.String(),
    times: Type.Object(
      {
        failing_since: Time,
        ...DECISION_TIMES,
        notifications: Type.Array(Type.Object({ ...SENT_NOTIFICATION, after_failing_ms: NullableInteger }, closed)),
      },
      closed,
    ),
  },
  { ...closed, title: 'BackupDecision' },
);
export type BackupDecision = Static<typeof BackupDecision>;

import { type Static, Type } from 'typebox';
import { nullable } from '../http/input/nullable.js';
import { Name, SearchText, Text } from '../http/input/text.js';
import { PageParameters } from '../http/paging.js';
import { idPattern } from '../storage/ids.js';
import { PROBLEMS, RUN_STATUSES } from './documents.js';
import { CREATED_EXAMPLE, JOB_EXAMPLE, JOB_ID, REQUEST_EXAMPLE, RUN_EXAMPLE } from './examples.js';

const CRON_CHARS_MIN = 9;
const CRON_CHARS_MAX = 100;
const TIME_ZONE_CHARS_MAX = 64;
const GRACE_SECONDS_MIN = 60;
/** A month: some jobs run once a quarter. */
const GRACE_SECONDS_MAX = 30 * 86_400;
const RUN_SECONDS_MIN = 60;
const RUN_SECONDS_MAX = 7 * 86_400;
const SHRINK_PERCENT_MAX = 99;
const TAGS_MAX = 20;
const TAG_CHARS_MAX = 50;
export const GRACE_SECONDS_DEFAULT = 3_600;
export const RUN_SECONDS_DEFAULT = 43_200;

const closed = { additionalProperties: false };
const Time = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });
const Bytes = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

export const BackupJobId = Type.Object({ id: Type.String({ pattern: idPattern('bkp'), examples: [JOB_ID] }) }, closed);
const Tag = Text({ minLength: 1, maxLength: TAG_CHARS_MAX, examples: ['production'] });
export const ListBackupJobs = Type.Object(
  {
    q: Type.Optional(SearchText({ description: 'Part of the name.', examples: ['shop'] })),
    tag: Type.Optional(Tag),
    ...PageParameters,
  },
  closed,
);
export const ListBackupRuns = Type.Object({ ...PageParameters }, closed);
export const NoBody = Type.Object({}, closed);

const Schedule = Type.Object(
  {
    cron: Text({
      minLength: CRON_CHARS_MIN,
      maxLength: CRON_CHARS_MAX,
      description:
        'Five fields: minute, hour, day of the month, month and day of the week. When both kinds of days are limited, either is enough.',
      examples: ['0 2 * * *'],
    }),
    time_zone: Text({
      minLength: 1,
      maxLength: TIME_ZONE_CHARS_MAX,
      description:
        'IANA name. A beginning that clocks skip is as much later as they skip; one that occurs twice is the first one.',
      examples: ['Europe/Berlin'],
    }),
  },
  { ...closed, description: 'When the job begins, as its own cron has it.' },
);

const optionalFields = {
  grace_seconds: Type.Optional(
    Type.Integer({
      minimum: GRACE_SECONDS_MIN,
      maximum: GRACE_SECONDS_MAX,
      default: GRACE_SECONDS_DEFAULT,
      description:
        'How late the ping may be. For a job that does not announce its start, this includes the time that it takes.',
    }),
  ),
  max_run_seconds: Type.Optional(
    Type.Integer({
      minimum: RUN_SECONDS_MIN,
      maximum: RUN_SECONDS_MAX,
      default: RUN_SECONDS_DEFAULT,
      description: 'How long a run may take that has announced its start.',
    }),
  ),
  min_size_bytes: Type.Optional(nullable(Bytes, { default: null, description: 'A smaller backup is not good.' })),
  max_shrink_percent: Type.Optional(
    nullable(Type.Integer({ minimum: 1, maximum: SHRINK_PERCENT_MAX }), {
      default: null,
      description:
        'A backup that is smaller than the last good one by more than this is not good. A change of the value accepts the next size, whatever it is.',
    }),
  ),
  expect_sha256: Type.Optional(
    Type.Boolean({ default: false, description: 'Whether a backup without a SHA-256 is not good.' }),
  ),
  tags: Type.Optional(Type.Array(Tag, { maxItems: TAGS_MAX, uniqueItems: true, default: [] })),
  enabled: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'A disabled job expects nothing, and its pings are not recorded. Disabling resolves its incident.',
    }),
  ),
};

const JobName = Name({ examples: [REQUEST_EXAMPLE.name] });

export const CreateBackupJob = Type.Object(
  { name: JobName, schedule: Schedule, ...optionalFields },
  { ...closed, title: 'CreateBackupJob', examples: [REQUEST_EXAMPLE] },
);
export type CreateBackupJob = Static<typeof CreateBackupJob>;

export const UpdateBackupJob = Type.Object(
  { name: Type.Optional(JobName), schedule: Type.Optional(Schedule), ...optionalFields },
  { ...closed, title: 'UpdateBackupJob', examples: [{ grace_seconds: 7_200 }] },
);
export type UpdateBackupJob = Static<typeof UpdateBackupJob>;

export const PreviewBackupJob = Type.Object(
  { schedule: Schedule },
  { ...closed, title: 'PreviewBackupJob', examples: [{ schedule: REQUEST_EXAMPLE.schedule }] },
);

export const BEGINNINGS_SHOWN = 5;

export const BackupJobBeginnings = Type.Object(
  { beginnings: Type.Array(Time, { maxItems: BEGINNINGS_SHOWN, description: `The next ${BEGINNINGS_SHOWN}.` }) },
  { ...closed, title: 'BackupJobBeginnings', examples: [{ beginnings: [JOB_EXAMPLE.expected_at] }] },
);

const ProblemType = Type.Enum([...PROBLEMS], {
  description:
    '`missed`: no ping came. `failed`: the job said so. `not_ended`: it began and did not end. `too_small`, `shrunken`, `size_missing`, `checksum_missing`: the backup is not what the settings expect.',
});

const runFields = {
  id: Type.String({ pattern: idPattern('bkr') }),
  status: Type.Enum([...RUN_STATUSES], {
    description: '`unknown`: Picket could not receive pings, so that nobody knows whether the job ran.',
  }),
  problem: nullable(ProblemType),
  expected_at: nullable(Time, { description: 'Of a missed run: the beginning that the schedule named.' }),
  started_at: nullable(Time, { description: 'null when no ping announced the start.' }),
  ended_at: nullable(Time),
  duration_seconds: nullable(Type.Integer()),
  exit_code: nullable(Type.Integer()),
  size_bytes: nullable(Type.Integer()),
  sha256: nullable(Type.String()),
};

export const BackupRun = Type.Object(
  { ...runFields, log: nullable(Type.String({ description: 'The end of what the ping sent, at most 10 kB.' })) },
  { ...closed, title: 'BackupRun', examples: [RUN_EXAMPLE] },
);
export type BackupRun = Static<typeof BackupRun>;

const jobFields = {
  id: Type.String({ examples: [JOB_ID] }),
  name: Type.String(),
  schedule: Type.Object({ cron: Type.String(), time_zone: Type.String() }, closed),
  grace_seconds: Type.Integer(),
  max_run_seconds: Type.Integer(),
  min_size_bytes: nullable(Type.Integer()),
  max_shrink_percent: nullable(Type.Integer()),
  expect_sha256: Type.Boolean(),
  tags: Type.Array(Type.String()),
  enabled: Type.Boolean(),
  status: Type.Enum(['new', 'ok', 'failing', 'disabled'], {
    description: '`new`: no run was recorded yet. `failing`: see `problem`.',
  }),
  running_since: nullable(Time, { description: 'When the run began that has not ended yet.' }),
  expected_at: nullable(Time, { description: 'The next beginning that a ping must confirm.' }),
  problem: nullable(
    Type.Object({ type: ProblemType, since: Time }, { ...closed, description: 'null unless the job is failing.' }),
  ),
  last_good_at: nullable(Time),
  last_run: nullable(Type.Object(runFields, closed)),
  ping_url_end: Type.String({ description: 'The last characters of the ping URL.' }),
  created_by: Type.String({ description: 'E-mail address, or the name of the API key.' }),
  created_at: Time,
  updated_at: Time,
};

export const BackupJob = Type.Object(jobFields, { ...closed, title: 'BackupJob', examples: [JOB_EXAMPLE] });
export type BackupJob = Static<typeof BackupJob>;

export const BackupJobWithUrl = Type.Object(
  {
    ...jobFields,
    ping_url: Type.String({
      description:
        'Where the job sends its pings. A secret, which only this answer has: Picket stores its hash. `POST /v1/backup-jobs/{id}/ping-url` makes another one.',
    }),
  },
  { ...closed, title: 'BackupJobWithUrl', examples: [CREATED_EXAMPLE] },
);
export type BackupJobWithUrl = Static<typeof BackupJobWithUrl>;

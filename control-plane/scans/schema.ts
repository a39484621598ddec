import { type Static, Type } from 'typebox';
import { nullable } from '../http/input/nullable.js';
import { PageParameters } from '../http/paging.js';
import { idPattern } from '../storage/ids.js';
import { SCAN_STATUSES } from './documents.js';
import { SCAN_CONFIRMATION_EXAMPLE, SCAN_EXAMPLE, SCAN_WITH_FINDINGS_EXAMPLE } from './examples.js';
import { SCAN_AREAS, SEVERITIES } from './judge/finding.js';

const closed = { additionalProperties: false } as const;

const Timestamp = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });
const Id = Type.String({ pattern: idPattern('scn'), examples: [SCAN_EXAMPLE.id] });
const MonitorId = Type.String({ pattern: idPattern('mon'), examples: [SCAN_EXAMPLE.monitor_id] });
const Status = Type.Enum([...SCAN_STATUSES], { examples: ['completed'] });
const Severity = Type.Enum([...SEVERITIES], {
  description:
    '`passed`: nothing to do. `unknown`: it could not be measured, and says nothing about the website. Neither changes the score.',
});
const Count = Type.Integer({ minimum: 0 });

const Properties = {
  id: Id,
  monitor_id: MonitorId,
  target: Type.String({ description: 'The origin that is scanned.', examples: [SCAN_EXAMPLE.target] }),
  status: Status,
  score: nullable(Type.Integer({ minimum: 0, maximum: 100 }), {
    description:
      '100 less 40 for each critical, 20 for each high, 8 for each medium and 3 for each low finding, and never less than 0. Findings of one `code` count once. null unless the scan is completed.',
  }),
  counts: Type.Object(
    { critical: Count, high: Count, medium: Count, low: Count, info: Count, passed: Count, unknown: Count },
    { ...closed, description: 'Findings by severity.' },
  ),
  error: nullable(Type.Object({ code: Type.String({ examples: ['not_confirmed'] }), message: Type.String() }, closed), {
    description:
      'Why the scan failed: `not_confirmed` (the website does not show the token), `no_probe`, `no_result`, or the error code of a check of the first page.',
  }),
  location: nullable(Type.String({ examples: ['fra'] }), { description: 'Where the probe is that ran the scan.' }),
  proof: nullable(Type.Enum(['dns', 'file']), {
    description: 'How the website confirmed that the workspace may scan it. null before that was read.',
  }),
  created_at: Timestamp,
  started_at: nullable(Timestamp),
  completed_at: nullable(Timestamp, { description: 'When the scan was completed or failed.' }),
};

export const Scan = Type.Object(Properties, { ...closed, title: 'Scan', examples: [SCAN_EXAMPLE] });
export type Scan = Static<typeof Scan>;

const Finding = Type.Object(
  {
    code: Type.String({ examples: ['hsts_missing'] }),
    area: Type.Enum([...SCAN_AREAS]),
    severity: Severity,
    points: Type.Integer({ description: 'What the finding takes off the score.' }),
    message: Type.String(),
    next_step: nullable(Type.String(), { description: 'null where there is nothing to do.' }),
    evidence: nullable(Type.String(), {
      description:
        'What Picket read, shortened. Anyone may have written it. It never contains the content of a file or the value of a cookie.',
    }),
  },
  { ...closed, title: 'ScanFinding' },
);

export const ScanWithFindings = Type.Object(
  {
    ...Properties,
    findings: Type.Array(Finding, { description: 'The worst first. Empty unless the scan is completed.' }),
    address: nullable(Type.String(), { description: 'The address that the probe connected to.' }),
    connections: nullable(Type.Integer(), { description: 'Connections that the scan opened, at most 40.' }),
    duration_ms: nullable(Type.Integer()),
  },
  { ...closed, title: 'ScanWithFindings', examples: [SCAN_WITH_FINDINGS_EXAMPLE] },
);
export type ScanWithFindings = Static<typeof ScanWithFindings>;

export const CreateScan = Type.Object(
  { monitor_id: MonitorId },
  { ...closed, title: 'CreateScan', description: 'A monitor of type http. Its website is scanned.' },
);

export const ScanId = Type.Object({ id: Id }, closed);

export const ListScans = Type.Object(
  { monitor_id: Type.Optional(MonitorId), status: Type.Optional(Status), ...PageParameters },
  closed,
);

export const ScanConfirmation = Type.Object(
  {
    token: Type.String({ description: 'The same for all websites of the workspace.' }),
    record_prefix: Type.String({ description: 'A TXT record of this and the host name has the token as its text.' }),
    file_path: Type.String({ description: 'Or a file at this path has the token as its only content.' }),
  },
  { ...closed, title: 'ScanConfirmation', examples: [SCAN_CONFIRMATION_EXAMPLE] },
);

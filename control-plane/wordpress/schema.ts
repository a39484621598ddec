import { type Static, Type } from 'typebox';
import { nullable } from '../http/input/nullable.js';
import { Name, Text } from '../http/input/text.js';
import { PageParameters } from '../http/paging.js';
import { idPattern } from '../storage/ids.js';
import { CHECK_IDS, SEVERITIES } from './checks/catalogue.js';
import { CHECK_STATUSES, JOB_KINDS, JOB_STATUSES } from './documents.js';
import {
  ACTIVATION_CODE_EXAMPLE,
  HARDENING_CENTER_EXAMPLE,
  JOB_EXAMPLE,
  SITE_EXAMPLE,
  SITE_WITH_CHECKS_EXAMPLE,
} from './examples.js';
import { SITE_STATUSES } from './site-summary.js';
import { FEED_SOURCES } from './vulnerabilities/documents.js';

const closed = { additionalProperties: false } as const;
const URL_CHARS_MAX = 500;
/** Of a slug, as the site reports it. */
const SLUG_CHARS_MAX = 100;
const Timestamp = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });
const SiteId = Type.String({ pattern: idPattern('site'), examples: [SITE_EXAMPLE.id] });
const JobId = Type.String({ pattern: idPattern('job') });
const CheckId = Type.Enum([...CHECK_IDS], { examples: ['xmlrpc'] });
const CheckStatus = Type.Enum([...CHECK_STATUSES], {
  description:
    '`passing`: the plugin has measured it within 24 hours and after the last change, and no later look from outside contradicts it. `failing`: measured, inside or from outside. `unknown`: not measured.',
});
const JobStatus = Type.Enum([...JOB_STATUSES], {
  description:
    '`queued`: the plugin has not fetched it. `delivered`: the plugin has it. `applied`: the plugin has done it, and the site still answers. `verified`: the effect was read back, and a look from outside does not contradict it. `failed`: without effect, or not possible. `rolled_back`: done and undone, because the site did not answer as before. `expired`: not finished within 24 hours.',
});
const JobKind = Type.Enum([...JOB_KINDS], {
  description:
    '`fix` and `undo`: of a check. `update_plugin`, `deactivate_plugin` and `restore_plugin`: of the plugin that `plugin` names.',
});
const PluginSlug = nullable(Type.String(), {
  description: 'The slug of the plugin that the job changes; null for a fix of a check.',
});
const Note = nullable(Type.String(), {
  description: 'What Picket Bridge said of what it has done; null without that.',
});
const CheckStatusOfHome = Type.Enum([...CHECK_STATUSES], {
  description:
    '`passing`: it answers with a status below 500. `failing`: with another one. `unknown`: there was no answer.',
});
const BeforePlugins = Type.Boolean({
  description:
    'Whether the site did it before it loaded plugins and theme, because it did not answer otherwise. Such an undo job is `verified` when the home page answers again, and `failed` when it does not although the fix is gone.',
});
const Score = nullable(Type.Integer({ minimum: 0, maximum: 100 }), {
  description:
    'The percentage of checks that pass, rounded down. `unknown` counts as not passing. null without a connected site.',
});

export const Site = Type.Object(
  {
    id: SiteId,
    name: Type.String(),
    url: Type.String({ description: 'Of the home page, without a slash at the end.' }),
    status: Type.Enum([...SITE_STATUSES], {
      description:
        '`waiting`: no plugin has used an activation code. `connected`. `silent`: the plugin has sent nothing for 24 hours. `disconnected`: the plugin was deactivated.',
    }),
    score: Score,
    connected_at: nullable(Timestamp),
    seen_at: nullable(Timestamp, { description: 'The last request of the plugin.' }),
    proven_at: nullable(Timestamp, {
      description:
        'When the site at the URL last proved to be the connected one. null: it cannot be reached, or is another one.',
    }),
    home: nullable(
      Type.Object(
        {
          status: CheckStatusOfHome,
          evidence: Type.String(),
          at: Timestamp,
        },
        closed,
      ),
      { description: 'The home page as the last look from outside has seen it; null without one.' },
    ),
    undo_before_plugins: nullable(
      Type.Object(
        {
          status: Type.Enum(['passing', 'failing'], {
            description: '`passing`: the must-use plugin is loaded. `failing`: `evidence` says why not.',
          }),
          evidence: Type.String(),
          at: Timestamp,
        },
        closed,
      ),
      {
        description:
          'Whether fixes can be undone even if a plugin or the theme is fatal on every request; null if that was not measured within 24 hours.',
      },
    ),
    code_expires_at: nullable(Timestamp, { description: 'Of the activation code; null without an unused one.' }),
    plugin_version: nullable(Type.String()),
    wordpress_version: nullable(Type.String()),
    php_version: nullable(Type.String()),
    server: nullable(Type.String()),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { ...closed, title: 'Site', examples: [SITE_EXAMPLE] },
);
export type Site = Static<typeof Site>;

export const CreatedSite = Type.Object(
  {
    ...Site.properties,
    activation_code: Type.String({
      description: 'Works once, for 30 minutes. Only this response has it.',
      examples: [ACTIVATION_CODE_EXAMPLE],
    }),
  },
  {
    ...closed,
    title: 'CreatedSite',
    examples: [
      {
        ...{ ...SITE_EXAMPLE, status: 'waiting', score: null, connected_at: null, seen_at: null, proven_at: null },
        ...{ home: null, undo_before_plugins: null },
        ...{ plugin_version: null, wordpress_version: null, php_version: null, server: null },
        code_expires_at: '2026-01-31T12:20:00.000Z',
        activation_code: ACTIVATION_CODE_EXAMPLE,
      },
    ],
  },
);

export const CreateSite = Type.Object(
  {
    name: Name({ examples: ['Shop'] }),
    url: Text({
      minLength: 1,
      maxLength: URL_CHARS_MAX,
      description: 'Of the home page. Private and reserved addresses are refused.',
      examples: ['https://shop.example'],
    }),
  },
  { ...closed, title: 'CreateSite' },
);

export const IdOfSite = Type.Object({ id: SiteId }, closed);
export const SiteIdOfPath = Type.Object({ siteId: SiteId }, closed);
export const CheckOfSite = Type.Object({ siteId: SiteId, check: CheckId }, closed);
export const PluginOfSite = Type.Object(
  {
    siteId: SiteId,
    slug: Text({
      minLength: 1,
      maxLength: SLUG_CHARS_MAX,
      description: 'Of an installed plugin, as `vulnerabilities` of the site names it.',
      examples: ['example-forms'],
    }),
  },
  closed,
);
export const Consent = Type.Object(
  {
    consent: Type.Literal(true, {
      description: 'That the person agrees to this change of the site. Nothing is changed without it.',
      examples: [true],
    }),
  },
  { ...closed, title: 'PluginChangeConsent', examples: [{ consent: true }] },
);
export const PageOfSites = Type.Object(PageParameters, closed);

export const Job = Type.Object(
  {
    id: JobId,
    site_id: SiteId,
    check: CheckId,
    kind: JobKind,
    plugin: PluginSlug,
    status: JobStatus,
    error: nullable(Type.String()),
    note: Note,
    created_at: Timestamp,
    delivered_at: nullable(Timestamp),
    applied_at: nullable(Timestamp),
    ended_at: nullable(Timestamp),
    before_plugins: BeforePlugins,
  },
  { ...closed, title: 'SiteJob', examples: [JOB_EXAMPLE] },
);
export type Job = Static<typeof Job>;

const Check = Type.Object(
  {
    id: CheckId,
    name: Type.String(),
    severity: Type.Enum([...SEVERITIES]),
    status: CheckStatus,
    evidence: Type.String({ description: 'What was measured, or why nothing was.' }),
    outside: nullable(Type.Object({ status: CheckStatus, evidence: Type.String(), at: Timestamp }, closed), {
      description: 'The last look from outside; null without one.',
    }),
    checked_at: nullable(Timestamp),
    fixable: Type.Boolean({ description: 'Whether Picket has an automatic fix.' }),
    manual: nullable(
      Type.Object(
        {
          reason: Type.String({ description: 'Why the automatic fix is not possible on this site.' }),
          snippet: nullable(
            Type.Object(
              {
                server: Type.Enum(['apache', 'nginx'], {
                  description: 'Into whose configuration: the virtual host of Apache, or the server block of nginx.',
                }),
                text: Type.String({ description: 'What to paste.' }),
              },
              closed,
            ),
            { description: 'null where nothing can be pasted, and the reason says what to do.' },
          ),
        },
        closed,
      ),
      {
        description:
          'Why the site does not allow the automatic fix, and how to fix the check by hand; null where it is possible. `harden` tries it again.',
      },
    ),
    applied: Type.Boolean({ description: 'Whether the fix of Picket is on the site, so that it can be undone.' }),
    fix: nullable(
      Type.Object(
        {
          ...{ job_id: JobId, kind: JobKind, plugin: PluginSlug, status: JobStatus, error: nullable(Type.String()) },
          ...{ note: Note, created_at: Timestamp, before_plugins: BeforePlugins },
        },
        closed,
      ),
      { description: 'The newest job of the check.' },
    ),
  },
  { ...closed, title: 'SiteCheck' },
);
export type Check = Static<typeof Check>;

const Count = Type.Integer({ minimum: 0 });

export const HardeningCenter = Type.Object(
  {
    summary: Type.Object(
      {
        sites: Type.Integer({ minimum: 0, description: 'Sites that were connected.' }),
        passing: Type.Integer({ minimum: 0, description: 'Checks of all sites that pass.' }),
        failing: Count,
        unknown: Count,
        score: Score,
      },
      closed,
    ),
    checks: Type.Array(
      Type.Object(
        {
          id: CheckId,
          name: Type.String(),
          severity: Type.Enum([...SEVERITIES]),
          ...{ passing: Count, failing: Count, unknown: Count },
        },
        closed,
      ),
    ),
    sites: Type.Array(
      Type.Object(
        {
          id: SiteId,
          name: Type.String(),
          url: Type.String(),
          status: Site.properties.status,
          score: Score,
          checks: Type.Array(Check),
        },
        closed,
      ),
    ),
  },
  { ...closed, title: 'HardeningCenter', examples: [HARDENING_CENTER_EXAMPLE] },
);
export type HardeningCenter = Static<typeof HardeningCenter>;

const Vulnerabilities = Type.Object(
  {
    sources: Type.Array(Type.Enum([...FEED_SOURCES]), {
      description: 'Of the feed that the plugins were compared with.',
    }),
    as_of: Type.String({
      format: 'date-time',
      description: 'When the feed was downloaded, or its file was last changed.',
    }),
    total: Type.Integer({ minimum: 0, description: 'Of all plugins of the site; `found` has the first 50.' }),
    found: Type.Array(
      Type.Object(
        {
          plugin: Type.String(),
          slug: Type.String(),
          version: Type.String({ description: 'The installed one.' }),
          active: Type.Boolean(),
          id: Type.String({ description: 'Of the record of the feed.' }),
          title: Type.String(),
          fixed_in: nullable(Type.String(), { description: 'null: the feed names no fixed version.' }),
          cve: nullable(Type.String()),
          rating: nullable(Type.String(), { description: 'Of the feed, such as `High`.' }),
          url: nullable(Type.String(), { description: 'The record, or an article about it.' }),
          source: Type.Enum([...FEED_SOURCES]),
          notices: Type.Array(Type.Object({ text: Type.String(), license_url: nullable(Type.String()) }, closed), {
            description: 'Copyright notices. Show them wherever you show the record: its licence requires that.',
          }),
        },
        closed,
      ),
    ),
  },
  { ...closed, title: 'SiteVulnerabilities' },
);

export const SiteWithChecks = Type.Object(
  {
    ...Site.properties,
    checks: Type.Array(Check),
    vulnerabilities: nullable(Vulnerabilities, {
      description:
        'The known vulnerabilities of the installed plugins; null while the check `vulnerable-plugins` is `unknown`.',
    }),
  },
  { ...closed, title: 'SiteWithChecks', examples: [SITE_WITH_CHECKS_EXAMPLE] },
);

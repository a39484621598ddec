import { type Static, Type } from 'typebox';
import { Text } from '../../http/input/text.js';
import { idPattern } from '../../storage/ids.js';
import { CHECK_IDS } from '../checks/catalogue.js';
import { EVIDENCE_CHARS_MAX } from '../checks/judgement.js';
import { CHECK_STATUSES } from '../documents.js';
import { ACTIVATED_EXAMPLE, ACTIVATION_CODE_EXAMPLE, SIGNED_ANSWER_EXAMPLE } from '../examples.js';
import { PLUGINS_MAX } from '../vulnerabilities/limits.js';

/** Messages of the plugin. Their lengths are limited, because what they say is stored and shown. */

const closed = { additionalProperties: false } as const;
const VERSION_CHARS_MAX = 50;
const SERVER_CHARS_MAX = 100;
const URL_CHARS_MAX = 500;
const RESULTS_MAX = 20;
const PLUGIN_CHARS_MAX = 100;

const Version = Text({ minLength: 0, maxLength: VERSION_CHARS_MAX, examples: ['6.1.9'] });
const Url = Text({ minLength: 1, maxLength: URL_CHARS_MAX, examples: ['https://shop.example'] });

const About = {
  home_url: Url,
  site_url: Type.Optional(Url),
  plugin_version: Version,
  wp_version: Version,
  php_version: Version,
  server: Text({ minLength: 0, maxLength: SERVER_CHARS_MAX, examples: ['Apache/2.4.62'] }),
};

export const Activate = Type.Object(
  {
    code: Text({
      minLength: 1,
      maxLength: 64,
      description: 'The activation code.',
      examples: [ACTIVATION_CODE_EXAMPLE],
    }),
    ...About,
  },
  { ...closed, title: 'ActivateSite' },
);
export type Activate = Static<typeof Activate>;

export const Activated = Type.Object(
  {
    site_id: Type.String({ pattern: idPattern('site') }),
    secret: Type.String({ description: '32 random bytes in hexadecimal. Only this response has it.' }),
  },
  { ...closed, title: 'ActivatedSite', examples: [ACTIVATED_EXAMPLE] },
);

export const Poll = Type.Object(
  {
    ...About,
    checks: Type.Array(
      Type.Object(
        {
          id: Type.Enum([...CHECK_IDS]),
          status: Type.Enum([...CHECK_STATUSES]),
          evidence: Text({ minLength: 0, maxLength: EVIDENCE_CHARS_MAX }),
          applied: Type.Boolean({ description: 'Whether the fix is on the site.' }),
          pasteable: Type.Optional(
            Type.Boolean({
              description:
                'Whether the configuration of the web server may do what the obstacle keeps the plugin from.',
            }),
          ),
          obstacle: Type.Optional(
            Text({
              minLength: 0,
              maxLength: EVIDENCE_CHARS_MAX,
              description: 'Why the fix is not possible on this site; empty if it is.',
            }),
          ),
        },
        closed,
      ),
      { maxItems: CHECK_IDS.length },
    ),
    results: Type.Array(
      Type.Object(
        {
          job_id: Type.String({ pattern: idPattern('job') }),
          outcome: Type.Enum(['applied', 'failed', 'rolled_back']),
          error: Text({
            minLength: 0,
            maxLength: EVIDENCE_CHARS_MAX,
            description: 'What failed. Of `applied`, what is to be said of what was done.',
          }),
        },
        closed,
      ),
      { maxItems: RESULTS_MAX },
    ),
    plugins: Type.Optional(
      Type.Array(
        Type.Object(
          {
            slug: Text({ minLength: 1, maxLength: PLUGIN_CHARS_MAX, description: 'The name of its folder.' }),
            name: Text({ minLength: 0, maxLength: PLUGIN_CHARS_MAX }),
            version: Version,
            active: Type.Boolean(),
          },
          closed,
        ),
        {
          maxItems: PLUGINS_MAX,
          description: 'The installed plugins. Earlier versions of the plugin do not send them.',
        },
      ),
    ),
    before_plugins: Type.Optional(
      Type.Boolean({
        description:
          '`true`: sent before the other plugins and the theme are loaded, where only fixes can be undone and nothing can be measured.',
      }),
    ),
    undo_obstacle: Type.Optional(
      Text({
        minLength: 0,
        maxLength: EVIDENCE_CHARS_MAX,
        description: 'Why fixes cannot be undone before plugins and theme are loaded; empty if they can.',
      }),
    ),
    plugins_complete: Type.Optional(
      Type.Boolean({ description: '`false`: the site has more plugins than a message can contain.' }),
    ),
  },
  closed,
);
export type Poll = Static<typeof Poll>;

export const SignedAnswer = Type.Object(
  {
    payload: Type.String({ description: 'JSON with the time, the next poll and the jobs.' }),
    signature: Type.String({ description: 'HMAC-SHA-256 of the nonce and of the payload, in hexadecimal.' }),
  },
  { ...closed, title: 'SignedSiteAnswer', examples: [SIGNED_ANSWER_EXAMPLE] },
);

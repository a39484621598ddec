import { type Static, Type } from 'typebox';
import { nullable } from '../http/input/nullable.js';
import { Text } from '../http/input/text.js';
import { PageParameters } from '../http/paging.js';
import { idPattern } from '../storage/ids.js';

const TAG_CHARS_MAX = 50;
const EXAMPLE_ID = 'dep_01kf5e6q0h3v8r2m9x4t7c1z5n';
const MONITOR_EXAMPLE = 'mon_01kf5e6q0h3v8r2m9x4t7c1z5n';
const PARENT_EXAMPLE = 'mon_01kf5e6q0h3v8r2m9x4t7c1z5p';
const closed = { additionalProperties: false };
const MonitorIdText = Type.String({ pattern: idPattern('mon'), examples: [MONITOR_EXAMPLE] });
const ServerIdText = Type.String({ pattern: idPattern('srv') });
const TagText = Text({ minLength: 1, maxLength: TAG_CHARS_MAX, examples: ['rack-4'] });

export const DependencyId = Type.Object(
  { id: Type.String({ pattern: idPattern('dep'), examples: [EXAMPLE_ID] }) },
  closed,
);

export const ListDependencies = Type.Object(
  {
    monitor_id: Type.Optional(
      Type.String({
        pattern: idPattern('mon'),
        description: 'Only those of this monitor or of one of its tags, and those on it.',
      }),
    ),
    server_id: Type.Optional(
      Type.String({ pattern: idPattern('srv'), description: 'Only those of this server or of one of its tags.' }),
    ),
    ...PageParameters,
  },
  closed,
);

export const CreateDependency = Type.Object(
  {
    dependent: Type.Object(
      {
        monitor_id: Type.Optional(MonitorIdText),
        server_id: Type.Optional(ServerIdText),
        tag: Type.Optional(
          Text({
            minLength: 1,
            maxLength: TAG_CHARS_MAX,
            description:
              'Monitors and servers that have the tag, also those that get it later, without the monitor itself.',
            examples: ['rack-4'],
          }),
        ),
      },
      { ...closed, description: 'What depends on the monitor: exactly one of these.' },
    ),
    depends_on: Type.Object({ monitor_id: MonitorIdText }, closed),
  },
  {
    ...closed,
    title: 'CreateDependency',
    examples: [{ dependent: { tag: 'rack-4' }, depends_on: { monitor_id: PARENT_EXAMPLE } }],
  },
);
export type CreateDependency = Static<typeof CreateDependency>;

export const Dependency = Type.Object(
  {
    id: Type.String({ examples: [EXAMPLE_ID] }),
    dependent: Type.Object(
      {
        monitor_id: nullable(MonitorIdText),
        server_id: nullable(ServerIdText),
        tag: nullable(TagText),
        name: Type.String({ description: 'The name of the monitor or server, or the tag.' }),
      },
      { ...closed, description: 'What depends on the monitor: the fields of the others are null.' },
    ),
    depends_on: Type.Object({ monitor_id: MonitorIdText, name: Type.String() }, closed),
    created_by: Type.String(),
    created_at: Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] }),
  },
  {
    ...closed,
    title: 'Dependency',
    examples: [
      {
        id: EXAMPLE_ID,
        dependent: { monitor_id: null, server_id: null, tag: 'rack-4', name: 'rack-4' },
        depends_on: { monitor_id: PARENT_EXAMPLE, name: 'Switch of rack 4' },
        created_by: 'ada@example.com',
        created_at: '2026-01-31T12:00:00.000Z',
      },
    ],
  },
);
export type Dependency = Static<typeof Dependency>;

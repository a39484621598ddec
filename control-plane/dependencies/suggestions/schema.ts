import { type Static, Type } from 'typebox';

/** At most this many are returned; what becomes a dependency makes room for others. */
export const SUGGESTIONS_MAX = 50;

const closed = { additionalProperties: false };
const Side = Type.Object({ monitor_id: Type.String(), name: Type.String() }, closed);

export const Suggestion = Type.Object(
  {
    dependent: Side,
    depends_on: Side,
    host: Type.String({ description: 'The host of both.', examples: ['shop.example.com'] }),
    outages: Type.Integer({ description: 'How often both have failed together, and neither alone.' }),
  },
  {
    ...closed,
    title: 'DependencySuggestion',
    examples: [
      {
        dependent: { monitor_id: 'mon_01kf5e6q0h3v8r2m9x4t7c1z5n', name: 'Shop' },
        depends_on: { monitor_id: 'mon_01kf5e6q0h3v8r2m9x4t7c1z5p', name: 'Ping of the shop' },
        host: 'shop.example.com',
        outages: 4,
      },
    ],
  },
);
export type Suggestion = Static<typeof Suggestion>;

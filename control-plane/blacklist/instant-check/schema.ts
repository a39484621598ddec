import { type Static, Type } from 'typebox';
import { INSTANT_CHECK_EXAMPLE } from '../examples.js';
import { closed, Figures, NotQueriedLists, Results, Target, TargetType, Timestamp } from '../result-schema.js';

export const CheckInstantly = Type.Object({ target: Target }, { ...closed, title: 'CheckInstantly' });

export const InstantCheckView = Type.Object(
  {
    target: Type.String({ description: 'In canonical form: lower-case punycode, or RFC 5952 for IPv6.' }),
    type: TargetType,
    ...Figures,
    results: Results,
    not_asked: NotQueriedLists,
    checked_at: Timestamp,
  },
  { ...closed, title: 'InstantCheck', examples: [INSTANT_CHECK_EXAMPLE] },
);
export type InstantCheckView = Static<typeof InstantCheckView>;

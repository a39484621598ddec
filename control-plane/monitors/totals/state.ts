/** How monitors are; `degraded` and `unknown` are `up` in lists. */
export const MONITOR_STATES = ['up', 'degraded', 'down', 'paused', 'unknown'] as const;

export type MonitorState = (typeof MONITOR_STATES)[number];

/** Failures of locations that are about the present target; see `FailingLocation`. */
const FAILING_NOW = {
  $filter: {
    input: { $objectToArray: { $ifNull: ['$state.failing', {}] } },
    as: 'one',
    cond: {
      $and: [{ $eq: ['$$one.v.from_version', '$live_from_version'] }, { $in: ['$$one.k', '$locations'] }],
    },
  },
};

const IS_UNCHECKED = { $and: [{ $eq: ['$last_checked_at_ms', null] }, { $eq: ['$live', {}] }] };
const ACTIVE_STATUS = {
  $cond: [
    { $eq: ['$state.status', 'down'] },
    'down',
    // Without any result a monitor is up for the verdict, and nothing is known of it.
    { $cond: [IS_UNCHECKED, 'unknown', { $cond: [{ $gt: [{ $size: FAILING_NOW }, 0] }, 'degraded', 'up'] }] },
  ],
};
/** How a monitor is, as an expression of the database: one of `MONITOR_STATES`. */
export const STATE = { $cond: [{ $ne: ['$paused_at_ms', null] }, 'paused', ACTIVE_STATUS] };

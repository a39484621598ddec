import { number, plural } from '../../../texts/format.ts';

const probes = (count: number) => plural(count, { one: 'probe', other: 'probes' });
const locations = (count: number) => plural(count, { one: 'location', other: 'locations' });
const results = (count: number) => plural(count, { one: 'result', other: 'results' });

/** The texts of the pages for operators. */
export const en = {
  only: { title: 'For operators', text: 'Only the operators of this installation see this page.' },
  more: 'Show more',
  probes: {
    title: 'Probes',
    add: 'Add probe',
    none: 'No probe is connected, so nothing is checked.',
    allConnected: (count: number) => (count === 1 ? 'The probe is connected.' : `All ${probes(count)} are connected.`),
    lost: (lost: number, connected: number) => `${probes(lost)} disconnected, ${number(connected)} connected.`,
    purpose:
      'A probe checks the monitors of its location. It needs a small Linux server there, and opens one connection to Picket.',
    showRevoked: 'Show revoked probes',
    states: { connected: 'connected', disconnected: 'disconnected', drained: 'drained', revoked: 'revoked' },
    version: (version: string) => `version ${version}`,
    seen: (ago: string) => `last contact ${ago} ago`,
    neverSeen: 'no contact yet',
    assignments: (count: number) => plural(count, { one: 'monitor', other: 'monitors' }),
    spoolEmpty: 'everything delivered',
    spool: (count: number, age: string) =>
      `${results(count)} not delivered yet, ${count === 1 ? 'it' : 'the oldest'} is ${age} old`,
    onTheirWay: (count: number) => `${results(count)} on the way`,
    late: (ms: string) => `99 % of the checks start at most ${ms} late`,
    canariesFail: 'No canary target answers: the network of this probe may be broken.',
    dropped: (count: number) => `${results(count)} lost, because the disk of the probe was full.`,
    drain: 'Drain',
    undrain: 'Re-enable',
    drained: (name: string) => `${name} stops checking and delivers what it holds.`,
    revoke: 'Revoke',
    revokeTitle: (name: string) => `Revoke ${name}?`,
    revokeText:
      'Picket closes its connection within a minute and never accepts its credential again. To use the machine again, join it as a new probe. This cannot be undone.',
    revoked: (name: string) => `${name} is revoked.`,
  },
  join: {
    title: 'Add probe',
    text: 'Picket creates a command to paste on the new machine. It works for one probe, for 24 hours.',
    location: 'Location',
    create: 'Create command',
    cancel: 'Cancel',
    paste: 'Paste this command into a root shell of the machine. It is shown only now.',
    line: 'Command that installs and joins the probe',
    expires: 'Valid until',
    waiting: 'Waiting for the probe to join …',
    joined: 'joined:',
    close: 'Close',
  },
  locations: {
    title: 'Locations',
    add: 'Add location',
    empty: 'No location yet. Monitors are checked from locations, each by one or more probes.',
    allWell: (count: number) =>
      count === 1 ? 'The location has a connected probe.' : `All ${locations(count)} have a connected probe.`,
    someSilent: (count: number) =>
      `${plural(count, { one: 'location has', other: 'locations have' })} no connected probe.`,
    someQuarantined: (count: number) =>
      `${plural(count, { one: 'location is', other: 'locations are' })} quarantined: its own network seems to fail, and its votes do not count.`,
    quarantined: 'quarantined, its votes do not count',
    probes: (count: number) => (count === 0 ? 'no connected probe' : `${probes(count)} connected`),
    canaries: (count: number) =>
      count === 0 ? 'no canary targets' : plural(count, { one: 'canary target', other: 'canary targets' }),
    edit: 'Edit',
    delete: 'Delete',
    deleteTitle: (city: string) => `Delete ${city}?`,
    deleteText: 'This works only while no monitor is checked from here and no probe is here.',
    deleted: (city: string) => `${city} is deleted.`,
    added: (city: string) => `${city} is added. Add a probe there next.`,
    saved: (city: string) => `${city} is saved.`,
    create: 'Add location',
    save: 'Save',
    cancel: 'Cancel',
    labels: { city: 'City', region: 'Region', canary_targets: 'Canary targets' } as Record<string, string>,
    fields: {
      code: 'Code',
      codeHelp: 'Two to eight small letters or digits, such as fra. It cannot be changed later.',
      city: 'City',
      region: 'Region',
      regionHelp: 'For example EU-Central.',
      canaries: 'Canary targets',
      canariesHelp:
        'Targets that always work, one per line: a URL, tcp://host:port, or a host to ping. When all of them fail, the network of the location itself is broken.',
    },
  },
  workspaces: {
    title: 'Workspaces',
    sentence: (count: number, more: boolean) =>
      more ? `More than ${number(count)} workspaces.` : `${plural(count, { one: 'workspace', other: 'workspaces' })}.`,
    search: 'Name, id, or e-mail address of a member',
    plan: 'Plan',
    anyPlan: 'All plans',
    state: 'State',
    anyState: 'Running and suspended',
    onlySuspended: 'Suspended',
    onlyRunning: 'Running',
    noneMatches: 'No workspace matches this filter.',
    created: 'created',
    suspended: 'suspended',
    beingDeleted: 'being deleted',
  },
  workspace: {
    back: 'All workspaces',
    runs: (plan: string) => `Runs on the ${plan} plan.`,
    suspendedFor: (reason: string) => `Suspended: ${reason}`,
    deletedAt: (at: string) => `One of its owners deleted it. The data is deleted on ${at}.`,
    facts: { id: 'Id', plan: 'Plan', created: 'Created', subscription: 'Subscription', suspended: 'Suspended since' },
    noSubscription: 'none',
    limits: 'Limits',
    what: 'What',
    used: 'Used',
    limit: 'Limit',
    noLimit: 'no limit',
  },
  plan: {
    title: 'Plan',
    plan: 'Plan of the workspace',
    save: 'Set plan',
    saveAnyway: 'Set plan anyway',
    over: (plan: string) => `The workspace has more than ${plan} allows:`,
    set: (name: string, plan: string) => `${name} is on the ${plan} plan.`,
  },
  suspension: {
    title: 'Suspension',
    text: 'Checks, notifications and agents of the workspace stop within 30 seconds. All data is kept.',
    reason: 'Reason',
    reasonHelp: 'The people of the workspace see it with every request. Say what they can do.',
    suspend: 'Suspend workspace',
    suspended: (name: string) => `${name} is suspended.`,
    resumeText: 'Checks, notifications and agents of the workspace start again. Servers get two minutes to reconnect.',
    resume: 'Resume workspace',
    resumed: (name: string) => `${name} is resumed.`,
  },
  health: {
    title: 'Health of Picket',
    ready: (connected: number) =>
      `Picket is ready: the database answers, and ${plural(connected, { one: 'probe is', other: 'probes are' })} connected.`,
    noProbe: 'Picket is ready, but no probe is connected, so nothing is checked.',
    notReady: (why: string) => why,
    probes: 'Probes',
    noneLost: 'Every probe is connected.',
    lost: (count: number) => `${count === 1 ? '1 probe is' : `${number(count)} probes are`} disconnected.`,
    nothingWaits: 'The probes have delivered every result.',
    waits: (count: number) => `${results(count)} not delivered yet.`,
    onTheirWay: (count: number) => `${results(count)} on the way.`,
    nothingDropped: 'No result was lost.',
    dropped: (count: number) => `${results(count)} lost because the disk of a probe was full.`,
    allProbes: 'Open the probes',
    locations: 'Locations',
    noProbeHere: 'has no connected probe, so nothing is checked from here.',
    probesHere: (count: number) => `has ${count === 1 ? 'a connected probe' : `${number(count)} connected probes`}.`,
    late: (ms: string) => `In the last hour, 99 % of the checks started at most ${ms} late.`,
    delay: (ms: string) => `In the last hour, 99 % of the incidents were opened within ${ms} of the first failure.`,
    quarantined: 'Quarantined: its own network seems to fail, and its votes do not count.',
    ok: 'OK',
    look: 'Look at it',
    lookAt: (count: number) =>
      count === 1 ? 'One line below needs a look.' : `${number(count)} lines below need a look.`,
    controlPlanes: 'Control planes',
    plane: (version: string) => `Picket ${version}`,
    runsSince: (since: string, seen: string) => `Runs since ${since}, last heard at ${seen}.`,
    lostSince: (seen: string) =>
      `Not heard since ${seen}: it was killed, or cannot reach the database. If another one runs in its place, there is nothing to do. This line disappears after an hour.`,
    stoppedAt: (seen: string) => `Stopped in an orderly way at ${seen}.`,
    clock: (offset: string, sign: number) =>
      sign === 0
        ? 'Its clock agrees with the clock of the database.'
        : `Its clock is ${offset} ${sign > 0 ? 'ahead of' : 'behind'} the clock of the database; up to a second is fine.`,
    streams: (dashboards: number, nodes: number) =>
      `Then it served ${plural(dashboards, { one: 'open dashboard', other: 'open dashboards' })} and ${plural(nodes, { one: 'probe or agent', other: 'probes and agents' })}.`,
    tasks: (names: readonly string[]) =>
      names.length === 0
        ? 'Does none of the tasks that one control plane at a time does.'
        : `Does ${names.length === 1 ? 'one' : number(names.length)} of the tasks that one control plane at a time does.`,
    taskNames: 'Their names in the log',
    database: 'Database',
    latency: (ms: string) => `The primary member answered in ${ms}.`,
    member: (state: string, lag: string | null) =>
      state === 'PRIMARY'
        ? 'is the primary member.'
        : lag === null
          ? `does not follow the primary member; its state is ${state}.`
          : `is ${lag} behind the primary member; its state is ${state}.`,
    noMembers:
      'The members of the replica set are not shown, because the database user of Picket lacks the role clusterMonitor.',
    backlogs: 'What waits',
    waiting: {
      notifications: (count, shown) =>
        count === 0
          ? 'No notification waits.'
          : `${shown} ${count === 1 ? 'notification waits' : 'notifications wait'} to be sent, retried or repeated.`,
      mails: (count, shown) =>
        count === 0
          ? 'No e-mail about an account waits.'
          : `${shown} ${count === 1 ? 'e-mail about an account waits' : 'e-mails about accounts wait'} to be sent.`,
      audit_forwarding: (count, shown) =>
        count === 0
          ? 'Every audit entry has reached its receivers.'
          : `${shown} audit ${count === 1 ? 'entry waits' : 'entries wait'} for a receiver.`,
      bulk_changes: (count, shown) =>
        count === 0
          ? 'No bulk change is being applied.'
          : `${shown} bulk ${count === 1 ? 'change is' : 'changes are'} being applied.`,
      client_reports: (count, shown) =>
        count === 0 ? 'No report waits.' : `${shown} ${count === 1 ? 'report waits' : 'reports wait'} to be generated.`,
      status_page_updates: (count, shown) =>
        count === 0
          ? 'No status page has news for its subscribers.'
          : `${shown} status ${count === 1 ? 'page has' : 'pages have'} news for subscribers.`,
      results: (count, shown) =>
        count === 0
          ? 'Every result is part of the history.'
          : `${shown} ${count === 1 ? 'result waits' : 'results wait'} to become part of the history, which happens every five minutes.`,
    } as Record<string, (count: number, shown: string) => string>,
    otherWaiting: (name: string) => (_count: number, shown: string) => `${shown} waiting: ${name}.`,
    oldest: (age: string, usual: string) => `The oldest has waited for ${age}; up to ${usual} is usual.`,
    controlPlane: 'The control plane that answered',
    noMetrics:
      'The metrics of the control plane are not open to this browser. Your monitoring can read them at /metrics from the same host, or with the token of PICKET_METRICS_TOKEN.',
    metrics: {
      nodejs_eventloop_lag_p99_seconds: (value: string) =>
        `Other work delays 1 % of its tasks by more than ${value}; up to 250 ms is usual.`,
      picket_control_plane_stalls_total: (value: string, count: number) =>
        count === 0
          ? 'It could always run since its start.'
          : `It could not run ${count === 1 ? 'once' : `${value} times`} since its start: the machine has too little processor time, or was suspended.`,
      process_resident_memory_bytes: (value: string) => `It uses ${value} of memory; up to 1,024 MiB is usual.`,
    },
  },
};

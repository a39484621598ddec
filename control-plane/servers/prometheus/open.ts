import type { Clock } from '../../../kernel/clock.js';
import { createGuardedFetch } from '../../../kernel/guard/guarded-fetch.js';
import { createTargetGuard } from '../../../kernel/guard/target-guard.js';
import type { Logger } from '../../../kernel/logger.js';
import type { OpenedSlice, Slice } from '../../slice.js';
import type { SampleListener } from '../servers.js';
import { createRemoteWrite } from './remote-write.js';
import { createEncodeWriteRequest } from './remote-write-request.js';

interface RemoteWriteNeeds {
  /** null: samples are not sent anywhere. */
  remoteWrite: { url: string; authorization: string | null } | null;
  clock: Clock;
  logger: Logger;
}

export interface RemoteWriteSlice extends OpenedSlice {
  listeners: SampleListener[];
}

/** Sends every stored sample to a Prometheus remote-write receiver. */
export const remoteWriteSlice: Slice<'remoteWrite', RemoteWriteNeeds, RemoteWriteSlice> = {
  name: 'remoteWrite',
  open({ remoteWrite, clock, logger }) {
    if (remoteWrite === null) return { listeners: [] };
    // The operator chooses the receiver, which may have a private address.
    const fetch = createGuardedFetch({ guard: createTargetGuard({ allowPrivate: true }), clock });
    const writer = createRemoteWrite({ ...remoteWrite, encode: createEncodeWriteRequest(), fetch, clock, logger });
    return { listeners: [writer], jobs: [writer] };
  },
};

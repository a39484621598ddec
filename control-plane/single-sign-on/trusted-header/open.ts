import type { Db } from 'mongodb';
import type { Networks } from '../../../kernel/guard/networks.js';
import type { OpenedSlice, Slice } from '../../slice.js';
import { createHeaderAuthenticator } from './authenticator.js';
import type { HeaderPersonNeeds } from './person.js';
import type { TrustedHeader } from './settings.js';
import { createTrustedHeaderStore } from './store.js';

export interface TrustedHeaderNeeds extends Omit<HeaderPersonNeeds, 'store' | 'role'> {
  db: Db;
  /** null: nobody is logged in by a header. */
  header: TrustedHeader | null;
  trustedProxies: Networks;
  publicUrl: string;
}

/**
 * Log-in by the header of an authenticating proxy. Its authenticator comes before the others, because a person whom the
 * proxy has logged out and another one in may still have the cookie of the first one.
 */
export const trustedHeaderSlice: Slice<'trustedHeader', TrustedHeaderNeeds, OpenedSlice> = {
  name: 'trustedHeader',
  open(needs) {
    const { header } = needs;
    if (header === null) return {};
    const store = createTrustedHeaderStore(needs.db);
    return { authenticators: [createHeaderAuthenticator({ ...needs, store, header: header.name, role: header.role })] };
  },
};

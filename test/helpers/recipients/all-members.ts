import type { Recipients } from '../../../control-plane/recipients/recipients.js';

/** Where every address is a member's, nobody is asked. */
export const askNobody = async (): Promise<void> => undefined;

/** Every address is a member's. */
export const allMembers: Pick<Recipients, 'sort' | 'confirmEarlier'> = {
  sort: async (_workspaceId, addresses) => ({
    ...{ members: [...addresses], viewers: [], others: [] },
    ...{ unconfirmed: [], unasked: [] },
  }),
  confirmEarlier: async () => undefined,
};

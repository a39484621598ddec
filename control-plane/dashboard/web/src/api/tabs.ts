import { write } from '../storage.ts';

/** The other tabs of the browser, which hear what has the same name. */
export interface Tabs<Message> {
  tell(message: Message): void;
  close(): void;
}

/** Whether tabs can tell each other much, and often. */
export const canTellTabs = (): boolean => typeof BroadcastChannel !== 'undefined';

/** Calls `hear` with what other tabs tell. */
export function openTabs<Message>(name: string, hear: (message: Message) => void): Tabs<Message> {
  if (!canTellTabs()) return openStored(name, hear);
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }: MessageEvent<Message>) => hear(data);
  return { tell: (message) => channel.postMessage(message), close: () => channel.close() };
}

/** The same by way of what the browser stores, of which it tells the other tabs. */
function openStored<Message>(name: string, hear: (message: Message) => void): Tabs<Message> {
  const look = ({ key, newValue }: StorageEvent) => {
    if (key === name && newValue !== null && newValue !== '') hear(JSON.parse(newValue));
  };
  window.addEventListener('storage', look);
  return {
    tell(message) {
      write(name, JSON.stringify(message));
      // The same can be told again, which is no change otherwise.
      write(name, '');
    },
    close: () => window.removeEventListener('storage', look),
  };
}

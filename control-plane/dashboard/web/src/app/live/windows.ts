import { type LoadedFor, loadedFor } from '../../api/loaded-for.ts';
import { openTabs } from '../../api/tabs.ts';
import { read, write } from '../../storage.ts';
import type { StreamEnd } from './event-stream.ts';
import type { Frame } from './frames.ts';
import type { Claim } from './leader.ts';

/** What the windows of a browser tell each other. */
export type Message =
  | { kind: 'hello'; from: string; lastId: string | null }
  | { kind: 'beat'; claim: Claim; isConnected: boolean }
  | { kind: 'welcome'; claim: Claim; to: string; isResumed: boolean; frames: readonly Frame[] }
  | { kind: 'frame'; claim: Claim; frame: Frame }
  /** `end` says how the stream of the leader ended; null if only the leader has gone. */
  | { kind: 'left'; claim: Claim; end: StreamEnd | null };

interface Sent {
  message: Message;
  loadedFor: LoadedFor | null;
}

/** The other visible windows of the browser. */
export interface Windows {
  tell(message: Message): void;
  close(): void;
}

/** Each installation of the origin has sessions of its own. The number changes with what the messages mean. */
const name = (): string => `picket events 1 ${document.baseURI}`;

/** Hears what other windows tell. One that was loaded for another workspace or person has a leader of its own. */
export function openWindows(hear: (message: Message) => void): Windows {
  const tabs = openTabs<Sent>(name(), (sent) => {
    if (!isOther(sent.loadedFor)) hear(sent.message);
  });
  return {
    tell: (message) => tabs.tell({ message, loadedFor: loadedFor() }),
    close: tabs.close,
  };
}

/** Remembers whether a window leads, so that the only window of a browser need not wait for an answer. */
export const keepLed = (isLed: boolean): void => write(name(), isLed ? 'led' : '');

/** Whether a window leads. A browser that has crashed may say so too. */
export const mayBeLed = (): boolean => read(name()) === 'led';

function isOther(theirs: LoadedFor | null): boolean {
  const own = loadedFor();
  if (own === null || theirs === null) return false;
  return own.workspaceId !== theirs.workspaceId || own.userId !== theirs.userId;
}

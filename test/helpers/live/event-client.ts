import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { deadlineMs } from '../deadline.js';
import { credentialHeader } from '../team/people.js';

/** An event of a stream as a browser gives it to a page. */
export interface ReceivedEvent {
  type: string;
  id: string;
  // biome-ignore lint/suspicious/noExplicitAny: the tests assert the shapes.
  data: any;
}

/** A client of `GET /v1/events` after the rules for browsers. */
export interface EventClient {
  status: number;
  headers: IncomingHttpHeaders;
  /** All events so far. */
  events: readonly ReceivedEvent[];
  /** What a browser would send as `Last-Event-ID`. */
  lastId(): string;
  /** How many comments came. */
  comments(): number;
  /** Resolves to the first event, of those that no call has returned before, that matches. */
  next(matches: (event: ReceivedEvent) => boolean): Promise<ReceivedEvent>;
  /** Resolves when the response is over, whoever ended it. */
  ended: Promise<void>;
  /** Whether the other end has ended the response in an orderly way, and not cut it off. */
  isComplete(): boolean;
  /** Stops to read. */
  pause(): void;
  /** Reads on. Only then it learns that the other end has closed the connection. */
  resume(): void;
  close(): void;
}

const NEXT_MS_MAX = deadlineMs(60_000);

/** Opens a stream with a cookie or a key. Resolves with the head of the response, also for a refusal. */
export async function openEvents(
  url: string,
  credential: string,
  options: { lastId?: string; query?: string; headers?: Record<string, string> } = {},
): Promise<EventClient> {
  const { lastId, query = '', headers = {} } = options;
  const sent = request(`${url}/v1/events${query}`, {
    agent: false,
    headers: {
      ...credentialHeader(credential),
      accept: 'text/event-stream',
      'accept-encoding': 'gzip',
      ...headers,
      ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
    },
  });
  sent.end();
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve);
    sent.once('error', reject);
  });
  sent.on('error', () => {});
  return clientOf(response, () => sent.destroy());
}

function clientOf(response: IncomingMessage, close: () => void): EventClient {
  const events: ReceivedEvent[] = [];
  const taken = new Set<ReceivedEvent>();
  const waiting = new Set<() => void>();
  const parser = createParser((event) => {
    events.push(event);
    for (const check of waiting) check();
  });
  response.setEncoding('utf8');
  response.on('data', parser.add);
  response.on('error', () => {});
  const ended = new Promise<void>((resolve) => response.once('close', () => resolve()));
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    events,
    lastId: parser.lastId,
    comments: parser.comments,
    next(matches) {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(check);
          reject(new Error(`no such event within ${NEXT_MS_MAX} ms, but ${JSON.stringify(events.slice(-5))}`));
        }, NEXT_MS_MAX);
        function check(): void {
          const found = events.find((event) => !taken.has(event) && matches(event));
          if (found === undefined) return;
          taken.add(found);
          waiting.delete(check);
          clearTimeout(timer);
          resolve(found);
        }
        waiting.add(check);
        check();
      });
    },
    ended,
    isComplete: () => response.complete,
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    close,
  };
}

/** Reads the lines of a stream (https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation). */
function createParser(onEvent: (event: ReceivedEvent) => void) {
  let rest = '';
  let lastId = '';
  let comments = 0;
  function addBlock(block: string): void {
    let [type, data] = ['message', ''];
    for (const line of block.split('\n')) {
      const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
      if (line.startsWith(':')) comments += 1;
      else if (field === 'event') type = value;
      else if (field === 'data') data += value;
      else if (field === 'id') lastId = value;
    }
    if (data !== '') onEvent({ type, id: lastId, data: JSON.parse(data) });
  }
  return {
    lastId: () => lastId,
    comments: () => comments,
    add(text: string) {
      const blocks = (rest + text).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) addBlock(block);
    },
  };
}

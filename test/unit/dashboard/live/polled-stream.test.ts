import t from 'tap';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';

/** What a module of the pages expects of a browser. */
Object.defineProperty(globalThis, 'navigator', { value: { languages: ['en'] } });
Object.assign(globalThis, { window: new EventTarget(), document: { baseURI: 'https://picket.example/' } });

interface Frame {
  event: string | null;
}

const { pollEvents } = await browserModule<{
  pollEvents(needs: {
    lastId: string | null;
    signal: AbortSignal;
    onFrame(frame: Frame): void;
    now(): number;
  }): Promise<{ status: number; retryAfterS: number | null }>;
}>('app/live/polled-stream.ts');

/** Answers with the beginning of a stream, which stays open until the page ends it. */
function answerReady(asked: string[]): typeof fetch {
  return async (url, options) => {
    asked.push(String(url));
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('event: ready\ndata: {}\nid: 7\n\n'));
        options?.signal?.addEventListener('abort', () => controller.error(new Error('aborted')));
      },
    });
    return new Response(body, { status: 200 });
  };
}

/** Polls, and sets the clock forward after each heartbeat. Resolves to what was asked, and how it ended. */
async function polled(forwardMs: readonly number[]) {
  const asked: string[] = [];
  globalThis.fetch = answerReady(asked);
  const page = new AbortController();
  const steps = [...forwardMs];
  let nowMs = 0;
  const end = await pollEvents({
    ...{ lastId: null, signal: page.signal, now: () => nowMs },
    onFrame({ event }) {
      if (event !== null) return;
      const step = steps.shift();
      if (step === undefined) page.abort();
      // The wait begins after the heartbeat.
      else setImmediate(() => (nowMs += step));
    },
  });
  return { asked, end };
}

t.test('a window that asks now and then goes on after the last event', async (t) => {
  const { asked, end } = await polled([10_000]);
  t.equal(asked.length, 2);
  t.match(asked[1], /last_event_id=7$/);
  t.same(end, { status: 0, retryAfterS: null });
});

t.test('after a sleep, its connection counts as broken, so that the page reads everything', async (t) => {
  const { asked, end } = await polled([10_000, 600_000]);
  t.equal(asked.length, 2, 'nothing is asked before the page knows');
  t.same(end, { status: 0, retryAfterS: 0 }, 'it connects again at once');
});

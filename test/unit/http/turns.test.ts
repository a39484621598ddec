import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import t from 'tap';
import { systemActor } from '../../../control-plane/actor.js';
import { readBody } from '../../../control-plane/http/input/read-body.js';
import { createTurns } from '../../../kernel/concurrency/turns.js';

const BODIES = 10;

/** Returns a request whose body has arrived. */
function requestOf(json: string): IncomingMessage {
  const body = new PassThrough();
  body.end(json);
  const headers = { 'content-type': 'application/json', 'content-length': String(json.length) };
  return Object.assign(body, { headers }) as unknown as IncomingMessage;
}

/** Returns in which pass of the event loop each of these bodies, which arrive together, is parsed. */
async function passesOf(json: string): Promise<number[]> {
  const nextTurn = createTurns();
  let pass = 0;
  let timer = setImmediate(function count() {
    pass += 1;
    timer = setImmediate(count);
  });
  const passes: number[] = [];
  const sender = {
    actor: systemActor({ id: 'ws_1', name: 'W', plan: 'Free' }, 'req_1'),
    gone: new AbortController().signal,
  };
  const read = Array.from({ length: BODIES }, async () => {
    await readBody(requestOf(json), null, sender, nextTurn);
    passes.push(pass);
  });
  await Promise.all(read);
  clearImmediate(timer);
  return passes;
}

t.test('large bodies that arrive together are parsed one in each pass of the event loop', async (t) => {
  const passes = await passesOf(JSON.stringify({ text: 'x'.repeat(100_000) }));
  t.equal(new Set(passes).size, BODIES, `passes ${passes.join(', ')}`);
});

t.test('small bodies do not wait for each other', async (t) => {
  const passes = await passesOf(JSON.stringify({ text: 'x' }));
  t.ok(new Set(passes).size < BODIES / 2, `passes ${passes.join(', ')}`);
});

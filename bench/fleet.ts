import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { freePort } from '../test/helpers/ports.js';
import type { Product } from '../test/helpers/product.js';
import { waitFor } from '../test/helpers/wait.js';

const IMPORT_CHUNK = 500;

/** A target process of its own, so that its CPU time is not counted as ours. */
export async function startTarget(): Promise<{ port: number; seen(): Promise<number>; stop(): void }> {
  const { port, count, stop } = await startCounting('./http-target.ts');
  return { port, seen: async () => Number(await count()), stop };
}

/** As `startTarget`, for webhooks: how many arrived, and how many notifications they were. */
export async function startWebhookTarget(): Promise<{
  port: number;
  seen(): Promise<{ requests: number; notifications: number }>;
  stop(): void;
}> {
  const { port, count, stop } = await startCounting('./webhook-target.ts');
  return { port, seen: async () => JSON.parse(await count()), stop };
}

async function startCounting(script: string): Promise<{ port: number; count(): Promise<string>; stop(): void }> {
  const port = await freePort();
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child: ChildProcess = spawn(process.execPath, ['--import', 'tsx', path, String(port)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const count = async () => (await fetch(`http://127.0.0.1:${port}/count`)).text();
  await waitFor('target', 10_000, async () => (await count()) !== '');
  return { port, count, stop: () => child.kill() };
}

/** Creates `count` http monitors by import, in requests of 500. */
export async function createMonitors(
  product: Product,
  count: number,
  settings: { url: (index: number) => string; intervalSeconds: number; retries?: number },
): Promise<void> {
  for (let from = 0; from < count; from += IMPORT_CHUNK) {
    const monitors = Array.from({ length: Math.min(IMPORT_CHUNK, count - from) }, (_, offset) => ({
      name: `bench ${from + offset}`,
      type: 'http',
      url: settings.url(from + offset),
      interval_seconds: settings.intervalSeconds,
      ...(settings.retries === undefined ? {} : { retries: settings.retries }),
    }));
    const answer = await product.api('POST', '/v1/monitors/import', { version: 1, monitors });
    if (answer.status !== 200) throw new Error(`import answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  }
}

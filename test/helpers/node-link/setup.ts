import type { Test } from 'tap';
import { type FakeControlPlane, fakeControlPlane } from './fake-control-plane.js';

/** Starts a fake control plane with one credential, `good`. It stops with the test. */
export async function setUpControlPlane(
  t: Test,
  options: Parameters<typeof fakeControlPlane>[0] = {},
): Promise<FakeControlPlane> {
  const started = await fakeControlPlane(options);
  started.script.credentials.add('good');
  t.teardown(() => started.kill());
  return started;
}

import type { Test } from 'tap';
import { type FakeControlPlane, fakeControlPlane } from './fake-control-plane.js';

/** A control plane that knows one credential, `good`, and does not outlive the test. */
export async function controlFor(
  t: Test,
  options: Parameters<typeof fakeControlPlane>[0] = {},
): Promise<FakeControlPlane> {
  const started = await fakeControlPlane(options);
  started.script.credentials.add('good');
  t.teardown(() => started.kill());
  return started;
}

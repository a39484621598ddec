import { createYamlReader } from '../../control-plane/monitor-transfer/yaml-file.js';
import { systemClock } from '../../kernel/clock.js';
import { testDatabase } from '../../test/helpers/database.js';
import { hostileYaml } from '../../test/helpers/http/hostile-yaml.js';
import { watchChildren } from '../../test/helpers/processes/child-processes.js';
import { startControlPlane } from '../../test/helpers/processes/control-plane.js';
import type { Limit } from './limit.js';

/** The process that parses: its heap of 44 MiB, and Node.js with its program. */
export const hostileYamlParser: Limit = {
  name: 'memory of the process that parses the worst YAML file of 1 MiB',
  unit: 'MiB',
  atMost: 150,
  async measure() {
    const readYaml = createYamlReader({ clock: { ...systemClock, after: () => ({ cancel() {} }) } });
    let most = 0;
    for (const [index, file] of hostileYaml().entries()) {
      const children = watchChildren(process.pid);
      const sender = { workspaceId: `ws_${index}`, plan: 'Pro', gone: new AbortController().signal } as const;
      await readYaml(async () => Buffer.from(file), sender).catch(() => {});
      most = Math.max(most, (await children.stop()).memoryMib);
    }
    return most;
  },
};

/** The control plane and the process that parses, while thirty hostile files arrive. Their common program counts once. */
export const hostileYamlFiles: Limit = {
  name: 'memory of the control plane and its parser while 30 hostile YAML files arrive',
  unit: 'MiB',
  atMost: 300,
  async measure() {
    const mongo = await testDatabase();
    const controlPlane = await startControlPlane(mongo.uri);
    const files = hostileYaml();
    const type = { 'content-type': 'application/yaml' };
    const children = watchChildren(controlPlane.pid);
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        controlPlane.api('POST', '/v1/monitors/import?dry_run=true', files[index % files.length] ?? '', type),
      ),
    );
    const { togetherMib } = await children.stop();
    await controlPlane.remove();
    await mongo.drop();
    return togetherMib;
  },
};

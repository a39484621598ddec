import { hostileYaml } from '../http/hostile-yaml.js';
import { request, type StartAttack } from './attack.js';

const AT_ONCE = 30;

/** Imports 30 hostile YAML files at once. */
export const startYaml: StartAttack = async (plan, tally) => {
  const files = hostileYaml();
  const path = '/v1/monitors/import?dry_run=true';
  return {
    async round() {
      const answers = Array.from({ length: AT_ONCE }, (_, index) =>
        request(plan, 'POST', path, files[index % files.length] ?? '', 'application/yaml'),
      );
      for (const { status, headers } of await Promise.all(answers)) {
        tally.add(`YAML files ${status}`);
        if (status === 429 && !(Number(headers.get('retry-after')) > 0)) tally.add('YAML files 429, no Retry-After');
      }
    },
    end() {},
  };
};

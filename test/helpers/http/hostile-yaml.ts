import { BODY_BYTES } from './filled.js';

/** Returns YAML files of 1 MiB that make a parser use as much memory or time as possible. */
export function hostileYaml(): string[] {
  return [
    '['.repeat(BODY_BYTES - 1),
    `[${'1,'.repeat(BODY_BYTES / 2 - 2)}]`,
    '- 1\n'.repeat(BODY_BYTES / 4 - 1),
    `["${'a","'.repeat(BODY_BYTES / 4 - 2)}"]`,
    Array.from({ length: 70_000 }, (_, index) => `k${index}: ${index}`).join('\n'),
    Array.from({ length: 60_000 }, (_, index) => `- &a${index} x`).join('\n'),
    `a: &a [${'1,'.repeat(100_000)}]\nb: [${'*a,'.repeat(99)}]`,
  ];
}

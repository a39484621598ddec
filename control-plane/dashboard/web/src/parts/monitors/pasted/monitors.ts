import type { CreateMonitor } from '../../../api/types.ts';
import type { Pasted } from './lines.ts';

/** What all of the monitors have in common. */
type Common = Pick<CreateMonitor, 'interval_seconds' | 'tags'>;

/** Returns the monitors that lines mean, each address once, with what fits it best. Pure. */
export function monitorsOf(lines: readonly Pasted[], common: Common): CreateMonitor[] {
  return lines.flatMap(({ name, found, repeats }) => {
    if (typeof found === 'string' || repeats !== null) return [];
    const [choice] = found.choices;
    return choice === undefined ? [] : [{ name: name === '' ? found.name : name, ...choice, ...common }];
  });
}

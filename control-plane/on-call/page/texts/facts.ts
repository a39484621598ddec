/** A line of the incident, taken apart: what it says in English, as fields. */
export type ParsedFact =
  | { type: 'metric'; metric: string; operator: string; threshold: number; lasts: string }
  | { type: 'disk'; mount: string; hours: number }
  | { type: 'value'; value: number }
  | { type: 'lookups'; atMs: number };

type Groups = Readonly<Record<string, string | undefined>>;

const NUMBER = String.raw`-?\d+(?:\.\d+)?(?:e[+-]?\d+)?`;

/** By the label of the line. */
const PATTERNS: readonly { label: string; pattern: RegExp; read(groups: Groups): ParsedFact }[] = [
  {
    label: 'Condition',
    pattern: new RegExp(`^(?<metric>.+) (?<operator>[<>]=?) (?<threshold>${NUMBER})(?: for (?<lasts>.+))?$`),
    read: ({ metric = '', operator = '', threshold, lasts = '' }) => ({
      ...{ type: 'metric', metric, operator, threshold: Number(threshold), lasts },
    }),
  },
  {
    label: 'Condition',
    pattern: new RegExp(`^(?<mount>.+) full within (?<hours>${NUMBER}) h$`),
    read: ({ mount = '', hours }) => ({ type: 'disk', mount, hours: Number(hours) }),
  },
  {
    label: 'Value',
    pattern: new RegExp(`^(?<value>${NUMBER})$`),
    read: ({ value }) => ({ type: 'value', value: Number(value) }),
  },
  {
    label: 'Confirmed',
    pattern: /^(?<day>\d{4}-\d\d-\d\d) (?<time>\d\d:\d\d:\d\d) UTC, by two lookups$/,
    read: ({ day, time }) => ({ type: 'lookups', atMs: Date.parse(`${day}T${time}Z`) }),
  },
];

/** Returns what a line of an incident says; null for a value that is the same in all languages. Pure. */
export function parsedFact(label: string, value: string): ParsedFact | null {
  for (const { label: of, pattern, read } of PATTERNS) {
    const groups = of === label ? pattern.exec(value)?.groups : undefined;
    if (groups !== undefined) return read(groups);
  }
  return null;
}

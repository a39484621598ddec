import type { Channel, ChannelType } from '../../../api/types.ts';
import { CONFIG_FIELDS } from './fields.ts';

/** What the form has. Texts are as typed; `config` has a text for each field, and `removed` the secrets to remove. */
export interface ChannelInput {
  name: string;
  config: Record<string, string>;
  removed: string[];
  delay_minutes: string;
  repeat_minutes: string;
}

const LINES = /[\s,;]+/;

/** Returns the form of a new channel. */
export function emptyInput(type: ChannelType): ChannelInput {
  const config = Object.fromEntries(CONFIG_FIELDS[type].map(({ name }) => [name, '']));
  return { name: '', config: type === 'ntfy' ? { ...config, url: 'https://ntfy.sh' } : config, ...NO_DELAYS };
}

const NO_DELAYS = { removed: [], delay_minutes: '0', repeat_minutes: '' };

/** Returns the form of a stored channel. Its secrets are empty: they stay as they are unless something is typed. */
export function inputOf({ type, name, config, delay_minutes, repeat_minutes }: Channel): ChannelInput {
  const shown = CONFIG_FIELDS[type].map(({ name: field, kind }): [string, string] => {
    const value = config[field];
    if (kind === 'secret') return [field, ''];
    return [field, Array.isArray(value) ? value.join('\n') : String(value ?? '')];
  });
  return {
    ...{ name, config: Object.fromEntries(shown), removed: [] },
    delay_minutes: String(delay_minutes),
    repeat_minutes: repeat_minutes === null ? '' : String(repeat_minutes),
  };
}

/** Returns the body that creates a channel. An empty field is sent as it is, so that the API names it. */
export function createBody(type: ChannelType, input: ChannelInput) {
  return { type, name: input.name.trim(), config: configOf(type, input), ...minutesOf(input) };
}

/** Returns the body that changes what differs from the stored channel; null if nothing does. */
export function updateBody(before: Channel, input: ChannelInput): Record<string, unknown> | null {
  const was = inputOf(before);
  const config = Object.fromEntries(
    Object.entries(configOf(before.type, input)).filter(
      ([field, value]) => value === null || input.config[field] !== was.config[field],
    ),
  );
  const body = {
    ...(input.name.trim() === before.name ? {} : { name: input.name.trim() }),
    ...(Object.keys(config).length === 0 ? {} : { config }),
    ...(input.delay_minutes === was.delay_minutes ? {} : { delay_minutes: minutesOf(input).delay_minutes }),
    ...(input.repeat_minutes === was.repeat_minutes ? {} : { repeat_minutes: minutesOf(input).repeat_minutes }),
  };
  return Object.keys(body).length === 0 ? null : body;
}

/** Returns the configuration to send. Optional fields that are empty are left out; removed ones are null. */
function configOf(type: ChannelType, { config, removed }: ChannelInput): Record<string, unknown> {
  const entries = CONFIG_FIELDS[type].flatMap(({ name, kind, isOptional }): [string, unknown][] => {
    const typed = (config[name] ?? '').trim();
    if (removed.includes(name)) return [[name, null]];
    if (kind === 'addresses') return [[name, typed.split(LINES).filter((address) => address !== '')]];
    return isOptional && typed === '' ? [] : [[name, typed]];
  });
  return Object.fromEntries(entries);
}

/** What is not a number is sent as it is, so that the API says what is wrong with it. */
function minutesOf({ delay_minutes: delay, repeat_minutes: repeat }: ChannelInput) {
  const minutes = (text: string) => (/^\d+$/.test(text.trim()) ? Number(text) : text);
  return {
    delay_minutes: delay.trim() === '' ? 0 : minutes(delay),
    repeat_minutes: repeat.trim() === '' ? null : minutes(repeat),
  };
}

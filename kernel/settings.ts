/** EX_CONFIG of sysexits.h: the exit code of a process that cannot start because of its settings. */
export const EXIT_CONFIG = 78;

/** A setting is missing or invalid. `message` is one line that names the variable. */
export class SettingError extends Error {
  constructor(variable: string, problem: string) {
    super(`${variable} ${problem}`);
    this.name = 'SettingError';
  }
}

type Env = Record<string, string | undefined>;

/** Reads environment variables. An empty value counts as not set; an invalid one throws SettingError. */
export interface Settings {
  text(variable: string, fallback: string): string;
  optionalText(variable: string): string | null;
  integer(variable: string, fallback: number, range: { min: number; max: number }): number;
  /** Accepts `0` and `1`. */
  flag(variable: string, fallback: boolean): boolean;
  oneOf<T extends string>(variable: string, allowed: readonly T[], fallback: T): T;
  url(variable: string, fallback: string, protocols: readonly string[]): string;
  optionalUrl(variable: string, protocols: readonly string[]): string | null;
}

export function readSettings(env: Env): Settings {
  const given = (variable: string): string | null => {
    const value = env[variable]?.trim();
    return value === undefined || value === '' ? null : value;
  };
  const url = (variable: string, value: string, protocols: readonly string[]): string => {
    if (!URL.canParse(value)) throw new SettingError(variable, `is not a URL: ${quote(value)}`);
    if (!protocols.includes(new URL(value).protocol)) {
      throw new SettingError(variable, `must start with ${protocols.map((name) => `${name}//`).join(' or ')}`);
    }
    return value.replace(/\/+$/, '');
  };
  return {
    text: (variable, fallback) => given(variable) ?? fallback,
    optionalText: given,
    integer(variable, fallback, range) {
      const value = given(variable);
      if (value === null) return fallback;
      const number = Number(value);
      if (!/^\d+$/.test(value) || number < range.min || number > range.max) {
        throw new SettingError(
          variable,
          `must be a whole number from ${range.min} to ${range.max}, not ${quote(value)}`,
        );
      }
      return number;
    },
    flag(variable, fallback) {
      const value = given(variable);
      if (value === null) return fallback;
      if (value !== '0' && value !== '1') throw new SettingError(variable, `must be 0 or 1, not ${quote(value)}`);
      return value === '1';
    },
    oneOf(variable, allowed, fallback) {
      const value = given(variable);
      if (value === null) return fallback;
      const match = allowed.find((candidate) => candidate === value);
      if (match === undefined) {
        throw new SettingError(variable, `must be one of ${allowed.join(', ')}, not ${quote(value)}`);
      }
      return match;
    },
    url: (variable, fallback, protocols) => url(variable, given(variable) ?? fallback, protocols),
    optionalUrl(variable, protocols) {
      const value = given(variable);
      return value === null ? null : url(variable, value, protocols);
    },
  };
}

/** Returns the start of an invalid value, to recognise it. The value may be a secret, so it is not shown in full. */
function quote(value: string): string {
  return JSON.stringify(value.length > 24 ? `${value.slice(0, 24)}…` : value);
}

import type { ApiKey } from '../../api/types.ts';

/** What a key can be limited to; `*` is everything. */
export type Scope = ApiKey['scopes'][number];
type NamedScope = Exclude<Scope, '*'>;
type Right = 'read' | 'write';
export type Area = NamedScope extends `${infer Name}:${Right}` ? Name : never;

/** Every area with what a key can be allowed there. The compiler names the scopes of the API that are missing. */
export const AREAS: { readonly [Name in Area]: readonly Extract<NamedScope, `${Name}:${Right}`>[] } = {
  monitors: ['monitors:read', 'monitors:write'],
  servers: ['servers:read', 'servers:write'],
  blacklist: ['blacklist:read', 'blacklist:write'],
  backups: ['backups:read', 'backups:write'],
  email_domains: ['email_domains:read', 'email_domains:write'],
  scans: ['scans:read', 'scans:write'],
  alerts: ['alerts:read', 'alerts:write'],
  channels: ['channels:read', 'channels:write'],
  maintenance: ['maintenance:read', 'maintenance:write'],
  status_pages: ['status_pages:read', 'status_pages:write'],
  reports: ['reports:read', 'reports:write'],
  wordpress: ['wordpress:read', 'wordpress:write'],
  audit: ['audit:read'],
};

export const AREA_NAMES = Object.keys(AREAS) as Area[];

const ALL: readonly NamedScope[] = Object.values(AREAS).flat();

/** Sets of scopes that fit most uses. `chosen` stands for any other set. */
export type Preset = 'everything' | 'read' | 'monitors' | 'chosen';

/** Returns the scopes of a preset. */
export function scopesOf(preset: Exclude<Preset, 'chosen'>): Scope[] {
  if (preset === 'everything') return ['*'];
  if (preset === 'read') return ALL.filter((scope) => scope.endsWith(':read'));
  return ['monitors:read', 'monitors:write', 'alerts:read'];
}

/** Returns the preset that has exactly these scopes. */
export function presetOf(scopes: readonly Scope[]): Preset {
  const presets = ['everything', 'read', 'monitors'] as const;
  const isSame = (preset: Exclude<Preset, 'chosen'>) => {
    const own = scopesOf(preset);
    return own.length === scopes.length && own.every((scope) => scopes.includes(scope));
  };
  return presets.find(isSame) ?? 'chosen';
}

/** Returns the areas that a key may read and change, only read, and only change. */
export function rightsOf(scopes: readonly Scope[]): { both: Area[]; reads: Area[]; writes: Area[] } {
  const has = (area: Area, right: Right) => scopes.some((scope) => scope === `${area}:${right}`);
  return {
    both: AREA_NAMES.filter((area) => has(area, 'read') && has(area, 'write')),
    reads: AREA_NAMES.filter((area) => has(area, 'read') && !has(area, 'write')),
    writes: AREA_NAMES.filter((area) => has(area, 'write') && !has(area, 'read')),
  };
}

/** Returns the scopes after a box is ticked or cleared. What may change an area nearly always must read it. */
export function toggled(scopes: readonly Scope[], scope: Scope, isOn: boolean): Scope[] {
  if (!isOn) return scopes.filter((other) => other !== scope);
  const reading = ALL.filter((other) => other === scope.replace(/:write$/, ':read'));
  return [...new Set([...scopes, scope, ...reading])];
}

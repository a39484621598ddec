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

/** Returns the areas of which a key may only read, and those that it may change. */
export function rightsOf(scopes: readonly Scope[]): { reads: Area[]; writes: Area[] } {
  const has = (area: Area, right: Right) => scopes.some((scope) => scope === `${area}:${right}`);
  return {
    reads: AREA_NAMES.filter((area) => has(area, 'read') && !has(area, 'write')),
    writes: AREA_NAMES.filter((area) => has(area, 'write')),
  };
}

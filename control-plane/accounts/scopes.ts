/** What a key can be limited to. `:write` does not imply `:read`; what no scope covers needs `*`. */
export const SCOPES = [
  'monitors:read',
  'monitors:write',
  'alerts:read',
  'alerts:write',
  'servers:read',
  'servers:write',
  'reports:read',
  'reports:write',
  'audit:read',
  'wordpress:read',
  'wordpress:write',
  'blacklist:read',
  'blacklist:write',
] as const;

export type Scope = (typeof SCOPES)[number];

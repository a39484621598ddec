/**
 * The content security policy of the dashboard: scripts, styles, fonts and pictures come from this server alone, and no
 * script and no style stands in the page itself. `base-uri` allows the `<base>` of an installation below a path.
 */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

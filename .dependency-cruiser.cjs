/** The layers of docs/architecture.md, as rules. Run by scripts/check-layers. */
const SLICES =
  'monitors|incidents|alert-rules|notifications|audit|accounts|servers|wordpress|reports|blacklist|status-pages|maintenance|scans|email-domains|backups';

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'slices-meet-only-in-main',
      comment:
        "A slice uses another slice's <part>.ts, documents.ts, schema.ts and declared pure rules, never its internals.",
      severity: 'error',
      from: { path: `^control-plane/(${SLICES})/` },
      to: {
        path: `^control-plane/(${SLICES})/`,
        pathNot: [
          '^control-plane/$1/',
          `^control-plane/(${SLICES})/(\\1|documents|schema|scopes|plans|quota|actions)\\.ts$`,
        ],
      },
    },
    {
      name: 'http-and-nodes-know-no-slice',
      severity: 'error',
      from: { path: '^control-plane/(http|nodes)/' },
      to: {
        path: `^control-plane/(${SLICES})/`,
        pathNot: '^control-plane/(accounts/(scopes|plans)|audit/(audit|actions))\\.ts$',
      },
    },
    {
      name: 'history-is-pure-and-knows-no-slice',
      comment: 'What monitors and servers share of retention, resolutions and the query of a metrics endpoint.',
      severity: 'error',
      from: { path: '^control-plane/history/' },
      to: {
        path: `^(control-plane/(nodes|storage|${SLICES})/|node_modules/mongodb/)`,
        pathNot: '^control-plane/accounts/plans\\.ts$',
      },
    },
    {
      name: 'nodes-and-http-are-apart',
      severity: 'error',
      from: { path: '^control-plane/http/' },
      to: { path: '^control-plane/nodes/' },
    },
    {
      name: 'only-stores-touch-the-database',
      severity: 'error',
      from: { path: '^control-plane/', pathNot: ['store[.]ts$', '^control-plane/storage/'] },
      to: { path: '^node_modules/mongodb/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'grpc-only-on-the-link',
      severity: 'error',
      from: { pathNot: '^(control-plane/nodes|node-link|proto|test|bench)/' },
      to: { path: '^node_modules/@grpc/grpc-js/' },
    },
    {
      name: 'nodes-know-no-control-plane',
      severity: 'error',
      from: { path: '^(probe|server-agent|node-link|kernel|proto)/' },
      to: { path: '^(control-plane|supervisor)/' },
    },
    {
      name: 'kernel-stands-alone',
      severity: 'error',
      from: { path: '^kernel/' },
      to: { path: '^(control-plane|probe|server-agent|node-link|proto|supervisor)/' },
    },
    {
      name: 'node-link-knows-no-probe',
      severity: 'error',
      from: { path: '^node-link/' },
      to: { path: '^(probe|server-agent)/' },
    },
    {
      name: 'kinds-of-nodes-are-apart',
      severity: 'error',
      from: { path: '^(probe|server-agent)/' },
      to: { path: '^(probe|server-agent)/', pathNot: '^$1/' },
    },
    {
      name: 'supervisor-starts-but-does-not-import',
      severity: 'error',
      from: { path: '^supervisor/' },
      to: { path: '^(control-plane|probe|server-agent|node-link)/' },
    },
    {
      name: 'no-test-code-in-the-product',
      severity: 'error',
      from: { pathNot: '^(test|bench)/' },
      to: { path: '^test/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};

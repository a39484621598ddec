/** The layers of docs/architecture.md, as rules. Run by scripts/check-layers. */
const SLICES =
  'monitors|incidents|notifications|audit|accounts|servers|wordpress|reports|blacklist|status-pages|maintenance|scans|email-domains|backups';

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
      name: 'probe-knows-no-control-plane',
      severity: 'error',
      from: { path: '^(probe|node-link|kernel|proto)/' },
      to: { path: '^(control-plane|supervisor)/' },
    },
    {
      name: 'kernel-stands-alone',
      severity: 'error',
      from: { path: '^kernel/' },
      to: { path: '^(control-plane|probe|node-link|proto|supervisor)/' },
    },
    {
      name: 'node-link-knows-no-probe',
      severity: 'error',
      from: { path: '^node-link/' },
      to: { path: '^(probe|server-agent)/' },
    },
    {
      name: 'supervisor-starts-but-does-not-import',
      severity: 'error',
      from: { path: '^supervisor/' },
      to: { path: '^(control-plane|probe|node-link)/' },
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

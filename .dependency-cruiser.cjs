/** The layers of docs/architecture.md as rules; `scripts/check-layers` runs them. The lists are in scripts/layers.cjs. */
const { ROOMS, BASE, SLICES, PUBLIC_FILES, SHARED } = require('./scripts/layers.cjs');

const any = (names) => `(${names.join('|')})`;
const error = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

const rooms = Object.entries(ROOMS).map(([room, others]) =>
  error(
    `${room}-imports-only-what-it-may`,
    `${room}/ imports only ${[room, ...others].map((name) => `${name}/`).join(', ')}.`,
    { path: `^${room}/` },
    { path: `^${any([...Object.keys(ROOMS), 'test'])}/`, pathNot: `^${any([room, ...others])}/` },
  ),
);

const order = SLICES.map((slice, index) =>
  error(
    `${slice}-imports-only-earlier-slices`,
    'A slice imports only slices before it in scripts/layers.cjs, types included.',
    { path: `^control-plane/${slice}/` },
    { path: `^control-plane/${any(SLICES.slice(index + 1).concat('-'))}/` },
  ),
);

const pathsOf = (lists) =>
  Object.entries(lists).flatMap(([folder, files]) => files.map((file) => folder + file.replace('*', '[^/]+')));
const PUBLIC = `^${any(pathsOf(PUBLIC_FILES))}\\.ts$`;
const shared = pathsOf(SHARED);

module.exports = {
  forbidden: [
    error('no-circular', 'No file imports itself through others, also not for a type.', {}, { circular: true }),
    ...rooms,
    ...order,
    error(
      'slices-share-only-public-files',
      'What a slice may import of other slices is one list: PUBLIC_FILES in scripts/layers.cjs.',
      { path: `^control-plane/${any(SLICES)}/`, pathNot: '/open\\.ts$' },
      { path: `^control-plane/${any(SLICES)}/`, pathNot: ['^control-plane/$1/', PUBLIC] },
    ),
    error(
      'openers-import-only-types-of-other-slices',
      'An opener gets what it needs of other slices as an argument; it names only their types.',
      { path: `^control-plane/${any(SLICES)}/[a-z/-]*open[.]ts$` },
      {
        path: `^control-plane/${any(SLICES)}/`,
        pathNot: ['^control-plane/$1/', PUBLIC],
        dependencyTypesNot: ['type-only'],
      },
    ),
    error(
      'slices-import-only-what-is-shared',
      'What a slice may import of the control plane outside of slices is one list: SHARED in scripts/layers.cjs.',
      { path: `^control-plane/${any(SLICES)}/` },
      {
        path: '^control-plane/',
        pathNot: [`^control-plane/${any(SLICES)}/`, `^${any(shared)}\\.ts$`],
      },
    ),
    error(
      'browser-code-stands-alone',
      'The pages of the dashboard import nothing of the server; they know it by the types of the API.',
      { path: '^control-plane/dashboard/web/' },
      { path: '^(kernel|proto|control-plane)/', pathNot: '^control-plane/dashboard/web/' },
    ),
    error(
      'no-server-code-imports-browser-code',
      'The bundler builds the pages; no program imports them.',
      { path: '^(kernel|proto|control-plane|supervisor)/', pathNot: '^control-plane/dashboard/web/' },
      { path: '^control-plane/dashboard/web/' },
    ),
    error(
      'the-base-knows-no-slice',
      `${BASE.join(', ')} are below the slices.`,
      { path: `^control-plane/${any(BASE)}/` },
      { path: `^control-plane/${any(SLICES)}/` },
    ),
    error(
      'retention-and-plans-are-pure',
      'They decide from values and touch no database.',
      { path: '^control-plane/(retention|plans)/' },
      { path: '^(control-plane/storage/|node_modules/mongodb/)' },
    ),
    error(
      'only-stores-touch-the-database',
      'A collection is read and written by store files and by storage/ alone.',
      { path: '^control-plane/', pathNot: ['store[.]ts$', '^control-plane/storage/'] },
      { path: '^node_modules/mongodb/', dependencyTypesNot: ['type-only'] },
    ),
    error(
      'grpc-only-on-the-link',
      'Only the two ends of the link use gRPC.',
      { pathNot: '^(control-plane/nodes|node-link|proto|test|bench)/' },
      { path: '^node_modules/@grpc/grpc-js/' },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^proto/generated/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};

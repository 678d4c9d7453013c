/**
 * Who may import whom (ARCHITECTURE.md). Imports point inward:
 * main → cli → app → {services, adapters} → rpc → core → util. Only app/ constructs across folders.
 */
const folders = [
  'main',
  'cli',
  'config',
  'app',
  'identity',
  'controller',
  'node',
  'backends',
  'hosts',
  'proxyclient',
  'proxyserver',
  'proxyapi',
  'rpc',
  'telemetry',
  'transport',
  'core',
  'util',
  'gen',
];

/** folder → [folders it may import besides itself, npm packages it may use, may it use node: built-ins] */
const may = {
  cli: [['app', 'config', 'core', 'telemetry', 'util'], ['commander'], true],
  config: [['core', 'proxyapi', 'util'], [], true],
  app: [
    folders.filter((f) => f !== 'main' && f !== 'cli'),
    ['@grpc/grpc-js', '@grpc/proto-loader', 'pino'],
    true,
  ],
  identity: [['core', 'gen', 'rpc', 'util'], [], false],
  controller: [['core', 'gen', 'rpc', 'util'], [], false],
  node: [['core', 'gen', 'rpc', 'util'], [], false],
  backends: [['core', 'util'], [], true],
  hosts: [['core', 'util'], [], true],
  proxyclient: [['core', 'gen', 'proxyapi', 'rpc', 'util'], ['@grpc/grpc-js'], true],
  proxyserver: [['core', 'gen', 'proxyapi', 'rpc', 'util'], ['@grpc/grpc-js'], true],
  proxyapi: [['core', 'gen', 'util'], ['@grpc/grpc-js', '@grpc/proto-loader'], false],
  rpc: [
    ['core', 'gen', 'util'],
    ['@grpc/grpc-js', '@grpc/proto-loader', '@grpc/reflection', 'grpc-health-check'],
    true,
  ],
  telemetry: [['core', 'util'], ['pino', 'prom-client'], true],
  transport: [['core', 'util'], ['koffi'], true],
  core: [['util'], [], false],
  util: [[], [], true],
  gen: [[], ['@grpc/grpc-js', '@grpc/proto-loader', 'protobufjs', 'long'], false],
};

const rules = Object.entries(may).flatMap(([folder, [ours, packages, builtins]]) => {
  const from = { path: `^src/${folder}/` };
  const allowedFolders = [folder, ...ours].map((name) => `^src/${name}/`).join('|');
  const list = [
    {
      name: `${folder}-imports-inward`,
      comment: `src/${folder} may import only ${[folder, ...ours].join(', ')}. Move the code, or pass it in through the constructor from src/app.`,
      severity: 'error',
      from,
      to: { path: '^src/', pathNot: allowedFolders },
    },
    {
      name: `${folder}-npm`,
      comment: `src/${folder} may use only these packages: ${packages.join(', ') || 'none'}.`,
      severity: 'error',
      from,
      to: {
        dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown'],
        ...(packages.length > 0
          ? { pathNot: packages.map((name) => `node_modules/(@types/)?${name}/`).join('|') }
          : {}),
      },
    },
  ];
  if (!builtins) {
    list.push({
      name: `${folder}-no-builtins`,
      comment: `src/${folder} takes what it needs from the system through a port; it imports no node: module.`,
      severity: 'error',
      from,
      to: { dependencyTypes: ['core'] },
    });
  }
  return list;
});

/** An adapter never imports its sibling: hosts/linux not hosts/simulated, backends/file not another. */
const siblings = ['hosts', 'backends'].map((folder) => ({
  name: `${folder}-no-sibling`,
  comment: `Adapters under src/${folder} do not know each other; what they share belongs to core or util.`,
  severity: 'error',
  from: { path: `^src/${folder}/([^/]+)/` },
  to: { path: `^src/${folder}/[^/]+/`, pathNot: `^src/${folder}/$1/` },
}));

module.exports = {
  forbidden: [
    ...rules,
    ...siblings,
    {
      name: 'main-starts-cli',
      severity: 'error',
      from: { path: '^src/main\\.ts$' },
      to: { path: '^src/', pathNot: '^src/(cli|main)' },
    },
    { name: 'no-cycle', severity: 'error', from: { pathNot: '^src/gen/' }, to: { circular: true } },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default'],
    },
  },
};

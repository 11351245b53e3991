/**
 * Who may import whom (docs/architecture.md, "Import rules"). Each rule is a sentence of that page.
 * @type {import('dependency-cruiser').IConfiguration}
 */
const libs = {
  contract: ['errors'],
  compilation: ['contract'],
  runtime: ['errors'],
  outbox: ['runtime', 'errors'],
  service: ['contract', 'outbox', 'runtime', 'vault', 'errors'],
  speech: ['compilation', 'errors'],
  providers: ['contract', 'speech'],
  vault: ['errors'],
  testing: ['contract', 'runtime', 'errors'],
  errors: [],
};

/** Services with a folder for each feature; the folders of the engine are named by docs/architecture.md. */
const servicesByFeature = [
  'agents',
  'auth',
  'console',
  'gateway',
  'insights',
  'knowledge',
  'telephony',
  'voice-stack',
  'webhooks',
];

/** The halls of telephony, from the top: each may import those on lower floors. */
const floors = [
  ['face'],
  ['after'],
  ['messages'],
  ['campaigns'],
  ['intake'],
  ['lines'],
  ['dispatch'],
  ['policy', 'network'],
  ['books'],
];
const telephony = '^services/telephony/src/';

const hallRules = floors.flatMap((floor, index) =>
  floor.map((hall) => ({
    name: `hall-${hall}`,
    comment: `In telephony ${hall} imports lower halls and the files at the root below it alone, for types too`,
    severity: 'error',
    from: { path: `${telephony}${hall}/`, pathNot: '\\.test\\.ts$' },
    to: {
      path: telephony,
      pathNot: [
        `${telephony}(${[hall, ...floors.slice(index + 1).flat()].join('|')})/`,
        `${telephony}(telephony|config|list-filter|filters\\.rules)\\.ts$`,
      ],
    },
  })),
);

const libRules = Object.entries(libs).map(([lib, allowed]) => ({
  name: `lib-${lib}`,
  comment: `libs/${lib} may import ${allowed.join(', ') || 'no other lib'}`,
  severity: 'error',
  from: { path: `^libs/${lib}/src` },
  to: { path: '^(libs|services)/', pathNot: `^libs/(${[lib, ...allowed].join('|')})/` },
}));

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'No circle of imports, types included',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    ...libRules,
    ...hallRules,
    {
      name: 'telephony-needs-nothing',
      comment: 'What use cases of telephony need is declared in telephony.ts, below all halls',
      severity: 'error',
      from: { path: `${telephony}telephony\\.ts$` },
      to: { path: telephony },
    },
    {
      name: 'one-door-per-hall',
      comment: 'A hall of telephony has one index.ts; the folders in it have none',
      severity: 'error',
      from: {},
      to: { path: `${telephony}[^/]+/.+/index\\.ts$` },
    },
    {
      name: 'no-sql-through-a-door',
      comment:
        'A hall offers use cases and types: its index.ts exports no name of a *.sql.ts, and no other file re-exports one',
      severity: 'error',
      from: { path: `${telephony}[^/]+/` },
      to: { path: '\\.sql\\.ts$', dependencyTypes: ['export'] },
    },
    {
      name: 'no-service-imports-another',
      severity: 'error',
      from: { path: '^services/([^/]+)/' },
      // The callee that speaks is a program of tests, which stands behind every carrier of tests.
      to: { path: '^services/', pathNot: ['^services/$1/', '^services/engine/test/callee/'] },
    },
    {
      name: 'testing-is-for-tests',
      comment: 'What runs in production never imports libs/testing',
      severity: 'error',
      from: { path: '^(services|libs)/[^/]+/src/', pathNot: ['\\.test\\.ts$', '^libs/testing/'] },
      to: { path: '^libs/testing/' },
    },
    {
      name: 'core-is-pure',
      comment:
        'the core of the engine imports compilation, contract and errors alone: no I/O, no clock, no other folder of its service',
      severity: 'error',
      from: { path: '^services/[^/]+/src/core/', pathNot: '\\.test\\.ts$' },
      to: {
        pathNot: [
          '^services/[^/]+/src/core/',
          '^libs/(compilation|contract|errors)/',
          '^(node:)?(crypto|buffer|zlib|net|url|querystring)$',
          'node_modules/(ipaddr\\.js|libphonenumber-js|standardwebhooks)',
        ],
      },
    },
    {
      name: 'rules-are-pure',
      comment: '*.rules.ts imports compilation, contract, errors and other rules alone: no I/O, no clock',
      severity: 'error',
      from: { path: '^services/[^/]+/src/.+\\.rules\\.ts$' },
      to: {
        pathNot: [
          '\\.(rules\\.ts|json)$',
          '^libs/(compilation|contract|errors)/',
          '^(node:)?(crypto|buffer|zlib|net|url|querystring)$',
          'node_modules/(ipaddr\\.js|libphonenumber-js|standardwebhooks)',
        ],
      },
    },
    {
      name: 'sql-stays-in-its-feature',
      comment: '*.sql.ts is imported by files of its own folder alone',
      severity: 'error',
      from: { path: '^services/([^/]+)/src/([^/]+)' },
      to: { path: '\\.sql\\.ts$', pathNot: '^services/$1/src/$2/' },
    },
    {
      name: 'sql-knows-no-caller',
      comment: 'Of its service *.sql.ts imports rules, other SQL and the index of a feature alone',
      severity: 'error',
      from: { path: '^services/[^/]+/src/.+\\.sql\\.ts$' },
      to: { path: '^services/[^/]+/src/', pathNot: '(\\.(rules|sql)|/index)\\.ts$' },
    },
    {
      name: 'features-meet-at-their-index',
      comment:
        'A feature, and a file at the root, imports a feature through its index.ts; handlers import use cases from their files, so that a route adds no export',
      severity: 'error',
      from: {
        path: `^services/(${servicesByFeature.join('|')})/src/([^/]+)`,
        pathNot: ['\\.(rules|sql|test)\\.ts$', '^services/[^/]+/src/handlers\\.ts$'],
      },
      to: {
        path: '^services/$1/src/[^/]+/',
        pathNot: ['^services/$1/src/$2/', '^services/$1/src/[^/]+/index\\.ts$'],
      },
    },
    {
      name: 'rules-and-sql-meet-at-rules-or-an-index',
      comment:
        'Pure rules and SQL import the rules of another feature by their file, everything else through its index.ts',
      severity: 'error',
      from: { path: `^services/(${servicesByFeature.join('|')})/src/([^/]+).*\\.(rules|sql)\\.ts$` },
      to: {
        path: '^services/$1/src/[^/]+/',
        pathNot: ['^services/$1/src/$2/', '^services/$1/src/[^/]+/index\\.ts$', '\\.rules\\.ts$'],
      },
    },
    {
      name: 'engine-parts-know-no-session',
      comment:
        'In the engine lines, media, providers, tools and replay are parts that a session uses: they import none of what drives calls',
      severity: 'error',
      from: { path: '^services/engine/src/(lines|media|providers|tools|replay)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^services/engine/src/(session|worker|external|simulations|runners)/' },
    },
    {
      name: 'e2e-speaks-from-outside',
      comment:
        'e2e speaks HTTP, webhooks and NATS only; the route declarations are public, and the carrier of tests is a process of its own',
      severity: 'error',
      from: { path: '^e2e/' },
      to: {
        path: '^(services|libs)/',
        pathNot: ['^libs/contract/', '^services/telephony/test/twilio/carrier', '^services/engine/test/waveforms'],
      },
    },
    {
      name: 'no-drawer-folders',
      comment: 'A folder is named by what is in it',
      severity: 'error',
      from: {},
      to: { path: '/(common|utils|util|helpers|helper|types|shared)/[^/]+$', pathNot: 'node_modules' },
    },
    { name: 'not-resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'no-dev-dependency-in-production',
      severity: 'error',
      from: { path: '^(services|libs)/[^/]+/src/', pathNot: ['\\.test\\.ts$', '^libs/testing/'] },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg'] },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '(^|/)dist/'] },
    // The pages are of the browser: their bundler resolves and bundles them.
    exclude: { path: ['/dist/.*\\.map$', '^services/console/web/'] },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    tsConfig: { fileName: 'tsconfig.lint.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'require', 'node', 'default'],
      mainFields: ['main', 'types'],
    },
  },
};

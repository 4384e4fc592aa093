/** A source file of the tree, as the rule of arrows sees it. */
export interface SourceFile {
  /** From the root of the project, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** One thing that breaks the rule, in a sentence that says what to do instead. */
export interface LayerViolation {
  readonly path: string;
  readonly sentence: string;
}

interface Room {
  /** What a path begins with; a room of one file is its whole path. */
  readonly at: string;
  /** How the sentence of a violation calls it. */
  readonly layer: Layer;
  /** Further rooms that it may import, beside those that its layer may. */
  readonly also?: readonly string[];
}

type Layer = 'ground' | 'contract' | 'stage' | 'root' | 'beside' | 'face' | 'tests';

/**
 * The rooms, the lowest first. Ground and contracts may import what stands before them; a stage only ground and
 * contracts; the root all of the reference; the rest what `also` names, and fixtures.
 */
const ROOMS: readonly Room[] = [
  { at: 'fixtures/', layer: 'ground' },
  { at: 'reference/ports/', layer: 'ground' },
  { at: 'reference/time.ts', layer: 'ground' },
  { at: 'reference/random.ts', layer: 'ground' },
  { at: 'reference/api/', layer: 'ground' },
  { at: 'reference/collections/', layer: 'ground' },
  { at: 'reference/schema/', layer: 'ground' },
  { at: 'reference/codecs/', layer: 'ground' },
  { at: 'reference/selectors/', layer: 'ground' },
  { at: 'reference/fields/', layer: 'ground' },
  { at: 'reference/cel/', layer: 'ground' },
  { at: 'reference/contracts/', layer: 'contract' },
  { at: 'reference/objects/', layer: 'contract' },
  { at: 'reference/remote/', layer: 'contract' },
  ...[
    'transport',
    'encoding',
    'authentication',
    'authorization',
    'flowcontrol',
    'admission',
    'resources',
    'verbs',
    'storage',
    'controllers',
    'observability',
    'discovery',
    'options',
  ].map((name): Room => ({ at: `reference/${name}/`, layer: 'stage' })),
  { at: 'reference/testing/', layer: 'tests' },
  // Whatever stands in reference/ itself: the pipeline, the seams and where the server is put together.
  { at: 'reference/', layer: 'root' },
  { at: 'history/', layer: 'beside' },
  { at: 'reports/', layer: 'beside', also: ['history/'] },
  { at: 'lifecycle/', layer: 'beside', also: ['reference/', 'reports/'] },
  { at: 'suites/harness/', layer: 'beside', also: ['reports/', 'history/'] },
  { at: 'suites/covering/', layer: 'beside', also: [] },
  { at: 'suites/accessQuestions/', layer: 'beside', also: ['suites/harness/'] },
  { at: 'suites/guarantees/', layer: 'beside', also: ['history/', 'suites/harness/'] },
  { at: 'suites/crash/', layer: 'beside', also: ['history/', 'suites/harness/', 'suites/guarantees/'] },
  { at: 'suites/1-conventions/', layer: 'beside', also: ['suites/harness/', 'suites/crash/'] },
  { at: 'suites/2-access/', layer: 'beside', also: ['suites/harness/'] },
  { at: 'suites/3-versioning/', layer: 'beside', also: ['suites/harness/', 'suites/covering/'] },
  { at: 'suites/sequences/', layer: 'beside', also: ['suites/harness/', 'suites/covering/'] },
  { at: 'suites/oracle/', layer: 'beside', also: ['suites/', 'reference/', 'reports/'] },
  {
    at: 'proxy/',
    layer: 'beside',
    also: ['history/', 'reference/api/', 'reference/codecs/', 'reference/contracts/', 'reference/transport/'],
  },
  {
    at: 'storm/',
    layer: 'beside',
    also: ['history/', 'proxy/', 'suites/harness/', 'suites/crash/', 'suites/guarantees/', 'suites/sequences/'],
  },
  { at: 'mutants/', layer: 'beside', also: ['reference/', 'proxy/'] },
  { at: 'diff/', layer: 'beside', also: ['suites/', 'reference/', 'mutants/', 'reports/'] },
  { at: 'learn/', layer: 'face', also: ['reference/', 'reports/', 'lifecycle/', 'suites/sequences/', 'mutants/'] },
  { at: 'embed/', layer: 'face', also: ['reference/'] },
  {
    at: 'cli/',
    layer: 'face',
    also: [
      'reference/',
      'history/',
      'suites/',
      'reports/',
      'lifecycle/',
      'learn/',
      'mutants/',
      'proxy/',
      'diff/',
      'embed/',
      'storm/',
      'tools/',
    ],
  },
  { at: 'bench/', layer: 'face', also: ['reference/', 'history/', 'suites/', 'cli/', 'embed/'] },
  {
    at: 'tools/',
    layer: 'face',
    also: ['reference/', 'history/', 'suites/', 'reports/', 'cli/', 'mutants/', 'lifecycle/'],
  },
  { at: 'playwright.config.ts', layer: 'face', also: ['suites/', 'reports/', 'cli/'] },
];

/** What may import modules of Node: halves of ports, stores, and what listens to sockets; outside the reference, all. */
const OF_NODE = ['reference/ports/node/', 'reference/storage/', 'reference/transport/', 'reference/testing/'];

/** All that checks see of the harness. */
const FACE = 'suites/harness/index.ts';

/** Files that are started, or loaded by name, and so need no importer. */
const ENTRIES = [
  /\.(test|spec)\.ts$/,
  /\.d\.ts$/,
  /^playwright\.config\.ts$/,
  /^cli\/(main|serve)\.ts$/,
  /^cli\/serve\/mutantServers\.ts$/,
  /^bench\/(run|scenarios\/\w+)\.ts$/,
  /^tools\//,
  /^reports\/reporter\.ts$/,
  /^suites\/harness\/index\.ts$/,
  // What tools/browserBundle.mjs starts with, and takes in place of halves for Node.
  /^learn\/engine\/worker\.ts$/,
  /^reference\/ports\/browser\//,
  // What package.json exports.
  /^(cli|lifecycle)\/index\.ts$/,
  /^embed\/(reference|test)\.ts$/,
];

const IMPORT =
  /(?:^|[\s;])(?:import|export)\s+(?:type\s+)?(?:[\w*\s{},]+?\s+from\s+)?'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/gm;

/** Everything in a tree that breaks the rule of arrows (docs/architecture.md). */
export function violations(sources: readonly SourceFile[]): LayerViolation[] {
  const tree = new Map(sources.map(({ path, text }) => [path, importsOf(path, text)]));
  const found: LayerViolation[] = [];
  for (const [path, imports] of tree) {
    const own = roomOf(path);
    if (!own) {
      found.push({
        path,
        sentence: `${path} stands in no room that the rule of arrows knows; name it in tools/layers.ts`,
      });
      continue;
    }
    for (const target of imports) found.push(...judge(path, own, target));
  }
  return [...found, ...orphans(tree), ...circles(tree)];
}

function judge(path: string, own: Room, target: string): LayerViolation[] {
  if (target.startsWith('node:')) {
    const engine = path.startsWith('reference/') && !isTest(path);
    if (!engine || OF_NODE.some((place) => path.startsWith(place))) return [];
    const sentence = `${path} imports ${target}: the engine takes what it needs of Node through a port; add it to a half in reference/ports/node/`;
    return [{ path, sentence }];
  }
  const room = roomOf(target);
  if (!room || room === own || isTest(path) || own.layer === 'tests') return [];
  if (room.layer === 'tests') {
    if (own.at === 'bench/' || own.at === 'tools/') return [];
    return [
      {
        path,
        sentence: `${path} imports the test fixture ${target}: only tests may; move what both need to a product file`,
      },
    ];
  }
  if (/^suites\/\d-/.test(path) && room.at === 'suites/harness/' && target !== FACE) {
    return [
      { path, sentence: `${path} imports ${target}: checks import ${FACE} alone; export from there what they need` },
    ];
  }
  if (mayImport(own, room)) return [];
  return [{ path, sentence: `${path} (${own.layer}) imports ${target} (${room.layer}): ${remedy(own, room)}` }];
}

function mayImport(own: Room, room: Room): boolean {
  if (own.also?.some((place) => room.at.startsWith(place))) return true;
  const before = ROOMS.indexOf(room) < ROOMS.indexOf(own);
  switch (own.layer) {
    case 'ground':
    case 'contract':
      return before && (room.layer === 'ground' || room.layer === own.layer);
    case 'stage':
      return room.layer === 'ground' || room.layer === 'contract';
    case 'root':
      return room.at.startsWith('reference/') || room.at === 'fixtures/';
    default:
      return room.at === 'fixtures/';
  }
}

function remedy(own: Room, room: Room): string {
  if (own.layer === 'stage' && room.layer === 'stage') {
    return 'a stage knows no other; put the type in reference/contracts/ and let reference/reference.ts hand the value over';
  }
  if (own.layer === 'ground' || own.layer === 'contract') {
    return 'it stands below that room; move what both need down to where this file stands, or this file up';
  }
  if (room.layer === 'stage' || room.layer === 'root')
    return 'only what puts the server together knows the inside of the reference';
  return `${own.at} may not know ${room.at}; move what both need to a room that both may import`;
}

/** Files that nobody imports, and product files that only tests import. */
function orphans(tree: ReadonlyMap<string, readonly string[]>): LayerViolation[] {
  const importers = new Map<string, string[]>();
  for (const [path, imports] of tree)
    for (const target of imports) importers.set(target, [...(importers.get(target) ?? []), path]);
  return [...tree.keys()]
    .filter((path) => !ENTRIES.some((entry) => entry.test(path)))
    .flatMap((path) => {
      const by = importers.get(path) ?? [];
      if (by.length === 0)
        return [
          { path, sentence: `${path} is imported by nobody: delete it, or name it as an entry in tools/layers.ts` },
        ];
      if (isTest(path) || !by.every(isTest)) return [];
      return [
        {
          path,
          sentence: `${path} is imported by tests alone: move it to a folder testing/, or to the one test that needs it`,
        },
      ];
    });
}

/** One violation for each circle of files. */
function circles(tree: ReadonlyMap<string, readonly string[]>): LayerViolation[] {
  const found: LayerViolation[] = [];
  const state = new Map<string, 'open' | 'done'>();
  const trail: string[] = [];
  const visit = (path: string): void => {
    state.set(path, 'open');
    trail.push(path);
    for (const target of tree.get(path) ?? []) {
      if (!tree.has(target)) continue;
      if (state.get(target) === 'open') {
        const circle = [...trail.slice(trail.indexOf(target)), target];
        found.push({
          path,
          sentence: `${circle.join(' → ')} is a circle: put what they share into one of them, or below both`,
        });
      } else if (!state.has(target)) visit(target);
    }
    trail.pop();
    state.set(path, 'done');
  };
  for (const path of tree.keys()) if (!state.has(path)) visit(path);
  return found;
}

function importsOf(path: string, text: string): string[] {
  const found = new Set<string>();
  for (const match of text.matchAll(IMPORT)) {
    const target = match[1] ?? (match[2] as string);
    if (target.startsWith('.')) found.add(resolved(path, target));
    else if (target.startsWith('node:')) found.add(target);
  }
  return [...found];
}

function resolved(from: string, target: string): string {
  const parts = from.split('/').slice(0, -1);
  for (const part of target.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}

function roomOf(path: string): Room | undefined {
  return ROOMS.find(({ at }) => path === at || (at.endsWith('/') && path.startsWith(at)));
}

/** Unit tests and their fixtures. Checks are no tests: they are what the suites are made of. */
function isTest(path: string): boolean {
  return path.endsWith('.test.ts') || /(^|\/)testing\//.test(path);
}

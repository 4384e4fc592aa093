// A story as files: as a story to be opened again, and as a check to begin with.

/** A story as a file of fixtures/scenarios has it; JSON is YAML. */
export function storyText({ scenario, original, played }) {
  const steps = scenario.steps.map(
    (
      { id, title, look, files, services, wait, request, history, expect, holds, carries, reads, lacks, says, told },
      index,
    ) => ({
      ...(id ? { id } : {}),
      title,
      ...(look ? { look } : {}),
      ...(files ? { files } : {}),
      ...(services ? { services } : {}),
      ...(wait ? { wait: wait / 1000 } : {}),
      ...(request
        ? {
            who: request.who,
            request: `${request.method} ${request.path}`,
            ...(request.type ? { type: request.type } : {}),
            ...(Object.keys(request.headers).length > 0 ? { headers: request.headers } : {}),
            ...(request.body ? { body: request.body } : {}),
            expect: expect ?? played.steps[index].answer.code,
          }
        : {}),
      ...(history === undefined ? {} : { history }),
      ...(Object.keys(holds ?? {}).length > 0 ? { holds } : {}),
      ...(Object.keys(carries ?? {}).length > 0 ? { carries } : {}),
      ...(reads ? { reads } : {}),
      ...(lacks ? { lacks } : {}),
      ...(says ? { says } : {}),
      ...(told ? { told } : {}),
    }),
  );
  const { title, about, question, flags, webhooks, steps: _, name: __, statements: ___, ...others } = scenario;
  const keys = original.statements.map(({ key }) => key);
  const head = { title, about: about || title, ...(question ? { question } : {}), statements: keys };
  const rest = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined && value !== null));
  return `${JSON.stringify({ ...head, flags, webhooks, ...rest, steps }, null, 2)}\n`;
}

/** Words of a story for names of the dialect, as a check has them. */
const DIALECT = {
  api_domain: 'apiDomain',
  label_domain: 'labelDomain',
  system_namespace: 'systemNamespace',
  public_namespace: 'publicNamespace',
  vendor: 'vendor',
};

/** Who has a name and rights in stories that are others in checks. */
const PEOPLE = '(author|rival|watcher)';
/** A body or a header that names one of them as a person, and an answer that tells what one may not do. */
const NAMED = new RegExp(`"(user|username|token|name|impersonate-user)": ?"${PEOPLE}(-token)?"`);
const NAMED_IN_ANSWER = new RegExp(`"username": ?"${PEOPLE}"|User \\\\?"${PEOPLE}\\\\?" cannot`);
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
/** The year in which the clock of stories begins. */
const OF_STORIES = /\b2025-\d\d-\d\dT/;

/** Why a story cannot be a check: a sentence; undefined where it can. */
export function whyNoCheck({ scenario, played }) {
  const { webhooks, services = [], files = {}, steps } = scenario;
  if (webhooks.length + services.length + Object.keys(files).length > 0) {
    return 'A story with programs or files outside of the server cannot be saved as a check: those of checks are run by the harness.';
  }
  if (steps.some(({ history }) => history !== undefined))
    return 'A story that judges release histories cannot be saved as a check: no server is asked for them.';
  const asked = steps.flatMap(({ request }, index) =>
    request ? [{ request, answer: played.steps[index].answer }] : [],
  );
  const isOfPeople = ({ request: { who, path, body = '', headers }, answer }) =>
    NAMED.test(`${body}${JSON.stringify(headers)}`) ||
    NAMED_IN_ANSWER.test(answer.body ?? '') ||
    (path.includes('/selfsubject') && new RegExp(PEOPLE).test(who));
  if (asked.some(isOfPeople)) {
    return 'A story about the names or rights of author, rival and watcher cannot be saved as a check: there they have others, and may do everything.';
  }
  if (asked.some(({ request: { body = '' } }) => OF_STORIES.test(body))) {
    return 'A story whose requests name an instant of its time cannot be saved as a check: it is another time there.';
  }
  return undefined;
}

/**
 * A story as a check to begin with: the same requests in the check's own namespace, and what was answered.
 * @param requirements the first requirement of statements, by their keys
 */
export function checkText({ scenario: told, original, played: happened }, requirements) {
  const [scenario, played] = withOwnGroup(told.name, told, happened);
  const [requirement] = original.statements.flatMap(({ key }) => requirements[key] ?? []);
  const lines = new CheckLines(scenario.steps);
  const body = scenario.steps.flatMap((step, index) => lines.step(step, index, played.steps[index]));
  const made = scenario.steps.flatMap((step, index) => madeOutside(step.request, played.steps[index].answer));
  if (made.length > 0) {
    lines.actors.add('admin');
    body.push('', '// What it made outside of its namespace goes again.');
    for (const path of made) body.push(`await admin.request('DELETE', ${literal(path)});`);
  }
  const actors = [...lines.actors].sort();
  const imported = ['check', 'match', 'must', ...lines.imports].sort((one, other) => (one < other ? -1 : 1));
  return [
    `// Made of the story ${JSON.stringify(scenario.title)}; docs/adding-a-check.md tells how to go on: name the requirement that`,
    '// it judges, ask for no more than the text does, and make a mutant that it catches. In a check author, rival and watcher',
    '// may do everything; only the stranger and nobody are refused.',
    `import { ${imported.join(', ')} } from '../../harness/index.ts';`,
    '',
    'check(',
    `  ${literal(`${scenario.title} → it goes as the story tells`)},`,
    `  [${literal(requirement ?? 'AREA-TOPIC-NN')}],`,
    ...(scenario.flags.length > 0 ? [`  { setup: { flags: ${JSON.stringify(scenario.flags)} } },`] : []),
    `  async ({ ${actors.join(', ')} }) => {`,
    ...body.map((line) => (line === '' ? '' : `    ${line}`)),
    '  },',
    ');',
    '',
  ].join('\n');
}

/** Types that a story defines are of a group of the check's own: checks run side by side. */
function withOwnGroup(name, ...told) {
  const defines = told[0].steps.some(({ request }) => request?.path.endsWith('/customresourcedefinitions'));
  if (!defines) return told;
  const own = `${name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 30)
    .replace(/^-+|-+$/g, '')}.${GROUP}`;
  return told.map((one) => JSON.parse(JSON.stringify(one).replaceAll(GROUP, own)));
}
const GROUP = 'example.com';

/** Paths of collections, and what is held of a list that depends on what else stands in it. */
const COLLECTION = /^\/(api\/[^/]+|apis\/[^/]+\/[^/]+)\/(namespaces\/[^/]+\/)?[a-z]+$/;
const OF_LISTS = /^(items|rows)(\[|\.|$)|^metadata\.(remainingItemCount|continue)$/;

/** The namespace of a check, in a template of its code. */
const OWN = '$' + '{namespace}';

/** The path of an object that a step created outside of any namespace; none where it created none. */
function madeOutside(request, answer) {
  if (!request || answer?.code !== 201) return [];
  const [path] = request.path.split('?');
  if (/\/namespaces\/[^/]+\/|\$\{|\{/.test(path)) return [];
  if (request.method !== 'POST') return [path];
  try {
    const { name } = JSON.parse(answer.body).metadata;
    return name ? [`${path}/${name}`] : [];
  } catch {
    return [];
  }
}

class CheckLines {
  actors = new Set();
  imports = new Set();
  #named;
  #hasNamespace = false;

  constructor(steps) {
    this.#named = new Map(steps.flatMap(({ id }, index) => (id ? [[id, `step${index + 1}`]] : [])));
  }

  step({ title, wait, request, holds = {}, reads, lacks, says }, index, { answer, expect }) {
    const lines = [...(index > 0 ? [''] : []), `// ${index + 1}. ${title.replaceAll('\n', ' ')}`];
    if (wait > 0) {
      this.actors.add('clock');
      lines.push(`await clock.advance(${wait});`);
    }
    if (!request) return lines;
    const { who, method, path, type, body, headers } = request;
    this.actors.add(who);
    const target = this.#text(path, who, lines, true);
    const told = { ...(type ? { 'content-type': type } : {}), ...headers };
    const options = [
      ...(Object.keys(told).length > 0 ? [`headers: { ${this.#headers(told, who, lines)} }`] : []),
      ...(body ? [`body: ${this.#text(body, who, lines)}`] : []),
    ];
    const given = options.length > 0 ? `, { ${options.join(', ')} }` : '';
    const name = `step${index + 1}`;
    if (answer?.stream) {
      const words = literal(`${who} watches`);
      lines.push(`const ${name} = await ${who}.openStream(${words}, ${target}${given});`);
      lines.push(`must(${literal('the watch is opened')}, ${name}.opening, match.status(${answer.code}));`);
      return lines;
    }
    lines.push(`const ${name} = await ${who}.request(${literal(method)}, ${target}${given});`);
    const listed = method === 'GET' && COLLECTION.test(path.split('?')[0]) ? OF_LISTS : undefined;
    const held = Object.entries(holds).filter(([at]) => !listed?.test(at));
    const matchers = [
      `match.status(${expect ?? answer.code})`,
      ...held.map(([at, value]) => `match.field(${literal(at)}, ${this.#matcher(at, value, who, lines)})`),
    ];
    if (held.length < Object.keys(holds).length) {
      lines.push('// Other objects may stand in the list as well: hold what is to be seen of your own.');
    }
    lines.push(
      `must(${literal(`${title.replaceAll('\n', ' ')}: it is answered so`)}, ${name}, ${matchers.join(', ')});`,
    );
    if (reads) lines.push(`// The story tells that its body reads ${JSON.stringify(reads)}.`);
    if (lacks) lines.push(`// The story tells that nothing in its body reads ${JSON.stringify(lacks)}.`);
    if (says) lines.push(`// The story tells that the server says to its operator ${JSON.stringify(says)}.`);
    return lines;
  }

  #headers(headers, who, lines) {
    const parts = Object.entries(headers).map(([name, value]) => `${literal(name)}: ${this.#text(value, who, lines)}`);
    return parts.join(', ');
  }

  /** What a field of an answer has to be; times are those of the check. */
  #matcher(at, value, who, lines) {
    if (value === null) return 'match.absent';
    if (typeof value !== 'string') return `match.equal(${JSON.stringify(value)})`;
    if (INSTANT.test(value)) return "match.text('an instant', /^\\d{4}-\\d\\d-\\d\\dT.*Z$/)";
    if (value === 'default' && /(^|\.)namespace$/.test(at)) {
      this.#declare(who, lines);
      return 'match.equal(namespace)';
    }
    return `match.equal(${this.#text(value, who, lines)})`;
  }

  /** A text of a story as code: names of the dialect, the namespace, and parts of earlier answers are filled in. */
  #text(text, who, lines, isPath = false) {
    const filled = text
      .replaceAll('\\', '\\\\')
      .replaceAll('`', '\\`')
      .replace(/\$\{([\w-]+)\.([\w.]+)\}/g, (whole, id, path) => {
        const step = this.#named.get(id);
        if (!step) return `\\${whole}`;
        this.imports.add('valueAt').add('segments');
        const part = `valueAt(${step}.json, segments(${literal(path)}))`;
        return `\u0000${isPath ? `encodeURIComponent(String(${part}))` : part}}`;
      })
      .replaceAll('${', '\\${')
      .replaceAll('\u0000', '${')
      .replace(/\{([a-z_]+)\}/g, (whole, word) => (DIALECT[word] ? `\${${who}.dialect.${DIALECT[word]}}` : whole));
    const named = isPath
      ? filled.replace(/\/namespaces\/default(?=\/)/, `/namespaces/${OWN}`)
      : filled
          .replace(/("namespace":\s*")default"/g, `$1${OWN}"`)
          .replace(/\b(system:serviceaccounts?:)default\b/g, `$1${OWN}`);
    if (named.includes(OWN)) this.#declare(who, lines);
    return named.includes('${') || text.includes('\n') ? `\`${named}\`` : literal(text);
  }
  /** Has the namespace of the check at hand, once. */
  #declare(who, lines) {
    if (this.#hasNamespace) return;
    this.#hasNamespace = true;
    const maker = who === 'nobody' || who === 'stranger' ? 'author' : who;
    this.actors.add(maker);
    lines.push(`const namespace = await ${maker}.namespace();`);
  }
}

const literal = (text) =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`;

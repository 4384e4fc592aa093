import { load } from 'js-yaml';

/** A story in steps on a server that begins empty; the data of fixtures/scenarios. */
export interface Scenario {
  /** Name of its file without the ending. */
  readonly name: string;
  readonly title: string;
  /** What there is to learn, in a few sentences. */
  readonly about: string;
  /** Something to try an answer to. */
  readonly question: string | undefined;
  /** Keys of the statements that it shows. */
  readonly statements: readonly string[];
  /** Flags of the server that the story happens on, beside the usual ones: `--release=1.21`. */
  readonly flags: readonly string[];
  /** Programs outside of the server that the story needs. */
  readonly webhooks: readonly StoryWebhook[];
  /** Texts of the files that flags name, by their names. */
  readonly files?: Readonly<Record<string, string>>;
  /** Services that the server asks. */
  readonly services?: readonly StoryService[];
  readonly steps: readonly ScenarioStep[];
  /** What would go wrong on a server that breaks the rule; undefined: the story does not say. */
  readonly broken?: BrokenServer | undefined;
}
/** A server with one rule broken, on which the story goes otherwise. */
export interface BrokenServer {
  /** Id of the mutant (mutants/). */
  readonly mutant: string;
  /** Number of the first step that goes otherwise, from 1. */
  readonly step: number;
  /** What to notice there, and what it would mean for somebody who relies on the rule. */
  readonly look: string;
}
/** A webhook for admission, at a host of the story's own. */
export interface StoryWebhook {
  readonly host: string;
  /** It refuses each object whose text holds this. */
  readonly refuses: string | undefined;
  readonly because: string | undefined;
  /** The JSON patch that it answers, as JSON; undefined: none. */
  readonly patch: string | undefined;
  /** The status that it answers in place of a review, as one that is broken does. */
  readonly fails: number | undefined;
  /** Members of the review that it answers and of the response in there, in place of the usual ones; or another text. */
  readonly answers?: WebhookAnswer | undefined;
}
export interface WebhookAnswer {
  readonly review?: Readonly<Record<string, unknown>>;
  readonly response?: Readonly<Record<string, unknown>>;
  readonly text?: string;
}
/** A service that knows people or decides about them, at a host of the story's own. */
export interface StoryService {
  readonly host: string;
  /** It answers reviews of tokens: users by their tokens. */
  readonly users?: Readonly<Record<string, unknown>> | undefined;
  /** It answers reviews of access: yes to whatever has these attributes, `user` among them. */
  readonly allows?: readonly Readonly<Record<string, unknown>>[] | undefined;
  /** And no to these, which come first. */
  readonly denies?: readonly Readonly<Record<string, unknown>>[] | undefined;
  /** It issues ID tokens: their claims, by the names that requests have for them (`${ada.token}`). */
  readonly tokens?: Readonly<Record<string, unknown>> | undefined;
  /** The status that it answers in place of all that. */
  readonly fails?: number | undefined;
}
export interface ScenarioStep {
  /** By which later steps name its answer: `${page.metadata.continue}`. */
  readonly id: string | undefined;
  readonly title: string;
  /** What to look at afterwards. */
  readonly look: string;
  /** Files that say something else from this step on. */
  readonly files?: Readonly<Record<string, string>>;
  /** Services that answer otherwise from this step on. */
  readonly services?: readonly StoryService[];
  /** Milliseconds that pass before the request, after such changes. */
  readonly wait: number;
  readonly request: StepRequest | undefined;
  /** A release history that is held against the deprecation policy, as YAML; `reads` is what is found then. */
  readonly history?: string | undefined;
  /** Status of the answer; undefined where there is no request. */
  readonly expect: number | undefined;
  /** What stands in the answer, by its place there: `metadata.labels.tier`; null: nothing does. */
  readonly holds: Readonly<Record<string, unknown>>;
  /** Text that stands in headers of the answer, by their names in lower case; null: there is no such header. */
  readonly carries?: Readonly<Record<string, unknown>>;
  /** Text that stands in the body of an answer that is no object, or in what is found of a history. */
  readonly reads?: string | undefined;
  /** Text that does not stand there. */
  readonly lacks?: string | undefined;
  /** Text in what the server says to its operator in this step; in the first one, as it starts too. */
  readonly says?: string | undefined;
  /** Types of the events that open watches are told by this step, in their order; undefined: the story does not say. */
  readonly told: readonly string[] | undefined;
}
export interface StepRequest {
  readonly who: string;
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** Content-Type; empty without a body. */
  readonly type: string;
  /** Empty: none. */
  readonly body: string;
  /** Further ones, by their names; one that is sent several times has a line for each time. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Everybody who acts in scenarios: the admin may do everything, the stranger nothing; nobody shows no token. */
export const ACTORS = ['admin', 'author', 'rival', 'watcher', 'stranger', 'nobody'] as const;

/** A scenario file that cannot be read; the message names the file and the field. */
export class ScenarioFault extends Error {
  override readonly name = 'ScenarioFault';
}

function parsed(name: string, text: string): unknown {
  try {
    return load(text);
  } catch (error) {
    const { mark, reason } = error as { mark?: { line: number }; reason?: string };
    throw new ScenarioFault(`${name}: line ${(mark?.line ?? 0) + 1}: ${reason ?? 'it is no YAML'}`);
  }
}

/** Reads a scenario. @throws ScenarioFault */
export function readScenario(name: string, text: string): Scenario {
  const fields = new Fields(name, parsed(name, text), '');
  fields.only([
    'title',
    'about',
    'statements',
    'question',
    'flags',
    'webhooks',
    'files',
    'services',
    'steps',
    'broken',
  ]);
  const steps = fields.objects('steps').map(readStep);
  if (steps.length === 0) throw fields.fault('steps', 'a story has at least one step');
  return {
    name,
    title: fields.text('title'),
    about: fields.text('about').trim(),
    statements: fields.texts('statements'),
    question: fields.optional('question')?.trim(),
    flags: fields.has('flags') ? fields.texts('flags') : [],
    webhooks: fields.has('webhooks') ? fields.objects('webhooks').map(readWebhook) : [],
    ...readOutside(fields),
    steps,
    broken: fields.has('broken') ? readBroken(fields.object('broken'), steps.length) : undefined,
  };
}

/** Files and services; each is left out where there is none. */
function readOutside(fields: Fields): Pick<Scenario, 'files' | 'services'> {
  const names = Object.keys(fields.record('files'));
  const files = fields.has('files') ? fields.object('files') : undefined;
  return {
    ...(files ? { files: Object.fromEntries(names.map((name) => [name, files.body(name)])) } : {}),
    ...(fields.has('services') ? { services: fields.objects('services').map(readService) } : {}),
  };
}

function readService(fields: Fields): StoryService {
  fields.only(['host', 'users', 'allows', 'denies', 'tokens', 'fails']);
  return {
    host: fields.text('host'),
    users: fields.has('users') ? fields.record('users') : undefined,
    allows: fields.has('allows') ? fields.records('allows') : undefined,
    denies: fields.has('denies') ? fields.records('denies') : undefined,
    tokens: fields.has('tokens') ? fields.record('tokens') : undefined,
    fails: fields.has('fails') ? fields.number('fails') : undefined,
  };
}

function readBroken(fields: Fields, steps: number): BrokenServer {
  fields.only(['mutant', 'step', 'look']);
  const step = fields.number('step');
  if (!Number.isInteger(step) || step < 1 || step > steps)
    throw fields.fault('step', 'the number of a step is expected');
  return { mutant: fields.text('mutant'), step, look: fields.text('look').trim() };
}

function readWebhook(fields: Fields): StoryWebhook {
  fields.only(['host', 'refuses', 'because', 'patch', 'fails', 'answers']);
  return {
    host: fields.text('host'),
    refuses: fields.optional('refuses'),
    because: fields.optional('because'),
    patch: fields.has('patch') ? fields.body('patch') : undefined,
    fails: fields.has('fails') ? fields.number('fails') : undefined,
    answers: fields.has('answers') ? readAnswer(fields.object('answers')) : undefined,
  };
}

function readAnswer(fields: Fields): WebhookAnswer {
  fields.only(['review', 'response', 'text']);
  return {
    review: fields.record('review'),
    response: fields.record('response'),
    ...(fields.has('text') ? { text: fields.text('text') } : {}),
  };
}

const STEP_FIELDS = [
  ...['id', 'title', 'look', 'files', 'services', 'wait', 'who', 'request', 'type', 'body', 'headers', 'history'],
  ...['expect', 'holds', 'carries', 'reads', 'lacks', 'says', 'told'],
];

function readStep(fields: Fields): ScenarioStep {
  fields.only(STEP_FIELDS);
  const line = fields.optional('request');
  if (line !== undefined && fields.has('history'))
    throw fields.fault('history', 'a step asks the server or judges a history');
  return {
    id: fields.optional('id'),
    title: fields.text('title'),
    look: (fields.optional('look') ?? '').trim(),
    ...readOutside(fields),
    wait: fields.seconds('wait') * 1000,
    request: line === undefined ? undefined : readRequest(fields, line),
    ...(fields.has('history') ? { history: fields.text('history') } : {}),
    expect: line === undefined ? undefined : fields.number('expect'),
    holds: fields.record('holds'),
    carries: fields.record('carries'),
    reads: fields.optional('reads'),
    lacks: fields.optional('lacks'),
    says: fields.optional('says'),
    told: fields.has('told') ? fields.texts('told') : undefined,
  };
}

function readRequest(fields: Fields, line: string): StepRequest {
  const [method = '', path = '', ...rest] = line.trim().split(/\s+/);
  if (!path.startsWith('/') || rest.length > 0) throw fields.fault('request', 'a method and a path are expected');
  const body = fields.body('body');
  const type = fields.optional('type') ?? (body === '' ? '' : 'application/json');
  const who = fields.optional('who') ?? 'admin';
  if (!(ACTORS as readonly string[]).includes(who))
    throw fields.fault('who', `one of ${ACTORS.join(', ')} is expected`);
  const headers = Object.fromEntries(
    Object.entries(fields.record('headers')).map(([header, value]) => [header.toLowerCase(), String(value)]),
  );
  return { who, method, path, type, body, headers };
}

/** The members of one object of a file, read as what they have to be. */
class Fields {
  readonly #file: string;
  readonly #value: Readonly<Record<string, unknown>>;
  readonly #path: string;

  constructor(file: string, value: unknown, path: string) {
    this.#file = file;
    this.#path = path;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new ScenarioFault(`${file}: ${path || 'the file'} holds no object`);
    }
    this.#value = value as Readonly<Record<string, unknown>>;
  }
  fault(name: string, why: string): ScenarioFault {
    return new ScenarioFault(`${this.#file}: ${this.#path}${name}: ${why}`);
  }
  only(known: readonly string[]): void {
    for (const name of Object.keys(this.#value)) {
      if (!known.includes(name)) throw this.fault(name, 'there is no such field');
    }
  }
  text(name: string): string {
    const value = this.#value[name];
    if (typeof value !== 'string' || value === '') throw this.fault(name, 'a text is expected');
    return value;
  }
  optional(name: string): string | undefined {
    return this.#value[name] === undefined ? undefined : this.text(name);
  }
  number(name: string): number {
    const value = this.#value[name];
    if (typeof value !== 'number') throw this.fault(name, 'a number is expected');
    return value;
  }
  seconds(name: string): number {
    return this.#value[name] === undefined ? 0 : this.number(name);
  }
  texts(name: string): readonly string[] {
    const value = this.#value[name];
    if (!Array.isArray(value) || value.some((one) => typeof one !== 'string')) {
      throw this.fault(name, 'a list of texts is expected');
    }
    return value as string[];
  }
  has(name: string): boolean {
    return this.#value[name] !== undefined;
  }
  /** The members of an object; none where there is none. */
  record(name: string): Readonly<Record<string, unknown>> {
    const value = this.#value[name] ?? {};
    if (typeof value !== 'object' || Array.isArray(value)) throw this.fault(name, 'an object is expected');
    return value as Readonly<Record<string, unknown>>;
  }
  records(name: string): readonly Readonly<Record<string, unknown>>[] {
    return this.objects(name).map((one) => one.#value);
  }
  object(name: string): Fields {
    return new Fields(this.#file, this.#value[name], `${this.#path}${name}.`);
  }
  objects(name: string): readonly Fields[] {
    const value = this.#value[name];
    if (!Array.isArray(value)) throw this.fault(name, 'a list is expected');
    return value.map((one, index) => new Fields(this.#file, one, `${this.#path}${name}[${index}].`));
  }
  /** Text as it is, anything else as JSON that a person can edit. */
  body(name: string): string {
    const value = this.#value[name];
    if (value === undefined) return '';
    return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  }
}

import type { Defect, Mutant } from '../mutants/mutant.ts';
import { asJson } from '../reference/api/object.ts';
import { stringify } from '../reference/codecs/jsonText.ts';
import type { Entry } from '../reference/contracts/entry.ts';
import { readable } from '../reference/contracts/readable.ts';
import type { Reply } from '../reference/contracts/reply.ts';
import type { StoreEvent } from '../reference/contracts/store.ts';
import { readOptions } from '../reference/options/loadOptions.ts';
import { gunzip } from '../reference/ports/compression.ts';
import { FileFault, type Files } from '../reference/ports/files.ts';
import { createReference, type Reference } from '../reference/reference.ts';
import { afterThisTurn } from '../reference/time.ts';
import { inProcessRequest } from '../reference/transport/inProcess.ts';
import { failedClaims } from './claims.ts';
import { filledIn, named, type Words, withNames, wordsOf } from './placeholders.ts';
import type {
  DecisionTold,
  Delivered,
  Judged,
  Played,
  PlayedAnswer,
  PlayedRequest,
  PlayedStep,
  StoreChange,
} from './played.ts';
import { ACTORS, type Scenario, type ScenarioStep } from './scenario.ts';
import { type StandIns, standIns } from './standIns.ts';

/** Default roles, and who holds them in every story. */
const RIGHTS: Readonly<Record<string, readonly string[]>> = { edit: ['author', 'rival'], view: ['watcher'] };

export interface PlayOptions {
  /** `kubernetes` or `cluster`. */
  readonly dialect: string;
  /** In place of a sound server. */
  readonly mutant?: Mutant | undefined;
  /** Judges the release histories of a story; see policy.ts. Only a story that has some needs it. */
  readonly policy?: ((history: string) => Judged) | undefined;
}

/** Turns of the event loop without any change after which the controllers are thought to be done. */
const QUIET_TURNS = 5;
const MOST_TURNS = 500;
/**
 * Milliseconds of the machine's time and turns after which a request is thought to wait for the server's time to pass, as
 * one for a version that is to come does. Keys and compression take such milliseconds, and more on a busy machine.
 */
const PATIENT_MILLISECONDS = 500;
const PATIENT_TURNS = 5000;
/** Seconds of its clock in which a server has to answer. */
const MOST_SECONDS = 120;

/** Sound servers that stories begin with, by their flags: each story has a fork of its own. */
const beginnings = new Map<string, Promise<Begun>>();

/** A server, and the lines that it has said to its operator. */
interface Begun {
  readonly server: Reference;
  readonly said: readonly string[];
}

/**
 * Plays a scenario from its beginning, on a server of its own whose clock stands still but where the story lets time
 * pass. The same scenario gives the same again, to the byte. Throws Error with a sentence for flags that cannot be.
 */
export async function play(scenario: Scenario, { dialect, mutant, policy }: PlayOptions): Promise<Played> {
  const flags = [`--dialect=${dialect}`, ...scenario.flags];
  const { files, server, said } = await opened(flags, scenario, mutant);
  const { webhooks, services = [] } = scenario;
  const outside = await standIns(webhooks, services, server.services.clock.now());
  const stage = new Stage({ server, said }, files, outside, policy);
  try {
    const steps: PlayedStep[] = [];
    for (const [index, step] of scenario.steps.entries()) steps.push(await stage.play(step, index));
    const { id, sentence } = mutant ?? {};
    const failed = failedClaims(scenario, steps);
    return { scenario: scenario.name, steps, failed, ...(id && sentence ? { mutant: { id, sentence } } : {}) };
  } finally {
    await stage.close();
    outside.leave();
  }
}

/** A server for one story, and its files, which the story may change. */
async function opened(
  flags: readonly string[],
  { files: given = {} }: Scenario,
  mutant: Mutant | undefined,
): Promise<Begun & { readonly files: Map<string, string> }> {
  const files = new Map(Object.entries(given));
  // What a mutant remembers it remembers in itself, and what a server reads of a file too: nobody else may have it.
  const own = mutant !== undefined || files.size > 0;
  if (own) return { files, ...(await begin(flags, mutant?.defect(), files)) };
  const { server, said } = await beginningOf(flags);
  return { files, server: await server.fork(), said };
}

async function beginningOf(flags: readonly string[]): Promise<Begun> {
  const key = flags.join('\n');
  const beginning = beginnings.get(key) ?? heardSoFar(begin(flags));
  beginnings.set(key, beginning);
  try {
    const begun = await beginning;
    begun.server.freeze();
    return begun;
  } catch (error) {
    beginnings.delete(key);
    throw error;
  }
}

/** With the lines until now: forks begin as their server did, and say the same again. */
async function heardSoFar(beginning: Promise<Begun>): Promise<Begun> {
  const { server, said } = await beginning;
  return { server, said: [...said] };
}

/** A server with everybody who acts in stories. */
async function begin(
  flags: readonly string[],
  { start = {}, ...seams }: Defect = {},
  own: ReadonlyMap<string, string> = new Map(),
): Promise<Begun> {
  const tokens = ACTORS.filter((name) => name !== 'nobody').map(
    (name) => `${name}-token,${name},${name}-uid${name === 'admin' ? ',system:masters' : ''}`,
  );
  const given = ['--seed=1', '--clock=virtual', '--explain', '--token-auth-file=actors', ...flags];
  const words = wordsIn(flags);
  const files: Files = {
    read: (path) => {
      const text = path === 'actors' ? `${tokens.join('\n')}\n` : own.get(path);
      if (text === undefined) throw new FileFault(`${path}: the story has no such file`);
      return withNames(text, words);
    },
  };
  const loaded = readOptions(start.flags?.(given) ?? given, start.files?.(files) ?? files);
  if ('errors' in loaded) throw new Error(loaded.errors.join('\n'));
  const said = [...loaded.notes];
  const options = start.options?.(loaded.options) ?? loaded.options;
  const server = await createReference(options, { seams, warn: (line) => said.push(line) });
  for (const [role, names] of Object.entries(RIGHTS)) await grant(server, role, names);
  await quiet(server);
  return { server, said };
}

/** The names of the dialect that flags ask for. */
function wordsIn(flags: readonly string[]): Words {
  const loaded = readOptions(flags.filter((flag) => flag.startsWith('--dialect=')));
  if ('errors' in loaded) throw new Error(loaded.errors.join('\n'));
  return wordsOf(loaded.options.dialect);
}

/** Gives a default role to some of the actors. */
async function grant(reference: Reference, role: string, names: readonly string[]): Promise<void> {
  const group = `rbac.authorization.${reference.services.dialect.apiDomain}`;
  const subjects = names.map((name) => ({ apiGroup: group, kind: 'User', name }));
  const binding = {
    metadata: { name: role },
    roleRef: { apiGroup: group, kind: 'ClusterRole', name: role },
    subjects,
  };
  await reference.handler(
    inProcessRequest({
      method: 'POST',
      target: `/apis/${group}/v1/clusterrolebindings`,
      headers: { authorization: 'Bearer admin-token', 'content-type': 'application/json' },
      body: JSON.stringify(binding),
    }),
  );
}

/** Lets controllers do what they have to do. */
async function quiet(reference: Reference): Promise<void> {
  let last = -1;
  for (let calm = 0, turns = 0; calm < QUIET_TURNS && turns < MOST_TURNS; turns++) {
    await new Promise<void>((resolve) => afterThisTurn(resolve));
    const now = await reference.services.store.revision();
    calm = now === last ? calm + 1 : 0;
    last = now;
  }
}

/** A server on which a story happens, and what there is to see of it. */
class Stage {
  readonly #reference: Reference;
  readonly #words: Words;
  readonly #files: Map<string, string>;
  readonly #outside: StandIns;
  readonly #policy: PlayOptions['policy'];
  readonly #answers: Map<string, unknown>;
  readonly #running: { stop(): void }[] = [];
  readonly #said: readonly string[];
  #heard = 0;
  #watched = false;
  #changes: StoreChange[] = [];
  #delivered: Delivered[] = [];
  #count = 0;

  constructor(
    { server: reference, said }: Begun,
    files: Map<string, string>,
    outside: StandIns,
    policy: PlayOptions['policy'],
  ) {
    this.#reference = reference;
    this.#said = said;
    this.#files = files;
    this.#outside = outside;
    this.#policy = policy;
    this.#answers = new Map(outside.tokens);
    this.#words = wordsOf(reference.services.dialect);
  }

  async play(step: ScenarioStep, index: number): Promise<PlayedStep> {
    await this.#watchStore();
    this.#changes = [];
    this.#delivered = [];
    const { store, clock } = this.#reference.services;
    const before = await store.revision();
    for (const [name, text] of Object.entries(step.files ?? {})) this.#files.set(name, text);
    this.#outside.replace(step.services ?? []);
    if (step.wait > 0) {
      this.#reference.advance(step.wait);
      await quiet(this.#reference);
    }
    const asked = step.request && named(step.request, this.#words);
    const request = asked && filledIn(asked, this.#answers);
    const at = new Date(clock.now()).toISOString();
    const told = request && (await this.#ask(request, step, index));
    await quiet(this.#reference);
    const said = this.#said.slice(this.#heard);
    this.#heard = this.#said.length;
    return {
      title: step.title,
      look: step.look,
      waited: step.wait,
      at,
      ...(request && asked ? { request, asked } : {}),
      decisions: told?.decisions ?? [],
      ...(told ? { answer: told.answer } : {}),
      ...(step.history === undefined ? {} : { history: step.history, judged: this.#judge(step.history) }),
      ...(step.expect === undefined ? {} : { expect: step.expect }),
      changes: this.#changes,
      revision: { before, after: await store.revision() },
      delivered: this.#delivered,
      ...(said.length > 0 ? { said } : {}),
    };
  }

  #judge(history: string): Judged {
    if (!this.#policy) throw new Error('a story that judges histories is played without the policy');
    return this.#policy(history);
  }

  async close(): Promise<void> {
    for (const one of this.#running) one.stop();
    await this.#reference.close();
  }

  async #watchStore(): Promise<void> {
    if (this.#watched) return;
    this.#watched = true;
    const { store } = this.#reference.services;
    const watcher = store.watch('/', await store.revision(), { event: (event: StoreEvent) => this.#see(event) });
    this.#running.push({ stop: () => watcher.cancel() });
  }

  async #ask(
    { who, method, path, type, body, headers }: PlayedRequest,
    step: ScenarioStep,
    index: number,
  ): Promise<{ decisions: readonly DecisionTold[]; answer: PlayedAnswer }> {
    this.#count += 1;
    const auditId = `step-${this.#count}`;
    const sent = {
      ...(who === 'nobody' ? {} : { authorization: `Bearer ${who}-token` }),
      'audit-id': auditId,
      'user-agent': who,
      ...(type === '' ? {} : { 'content-type': type }),
      ...headers,
    };
    const joined = mapValues(sent, (value) => value.replaceAll('\n', ', '));
    const reply = await this.#answered(
      this.#reference.handler({
        ...inProcessRequest({ method, target: path, headers: joined, body }),
        headerLines: (name) => (sent as Readonly<Record<string, string>>)[name]?.split('\n') ?? [],
      }),
    );
    const text = this.#read(reply, index);
    if (step.id !== undefined) this.#answers.set(step.id, parsed(text));
    const account = this.#reference.explanations?.get(auditId)?.toJSON();
    const decisions = (account?.decisions ?? []) as unknown as DecisionTold[];
    const answer = {
      code: reply.code,
      headers: mapValues(reply.headers, String),
      body: text,
      stream: reply.kind === 'stream',
    };
    return { decisions, answer };
  }

  /** Lets time pass until an answer is there. Throws Error where it takes too long. */
  async #answered(asked: Promise<Reply>): Promise<Reply> {
    let isThere = false;
    const done = () => {
      isThere = true;
    };
    asked.then(done, done);
    for (let seconds = 0; seconds < MOST_SECONDS; seconds++) {
      const until = performance.now() + PATIENT_MILLISECONDS;
      for (let turns = 0; !isThere && (turns < PATIENT_TURNS || performance.now() < until); turns++) {
        await new Promise<void>((resolve) => afterThisTurn(resolve));
      }
      if (isThere) return asked;
      this.#reference.advance(1000);
    }
    throw new Error(`The server has not answered in ${MOST_SECONDS} seconds of its clock.`);
  }

  /** The body of an answer; a stream stays open for the rest of the story. */
  #read(reply: Reply, index: number): string {
    if (reply.kind === 'whole') {
      const isPacked = reply.headers['content-encoding'] === 'gzip';
      return Buffer.from(isPacked ? gunzip(reply.body) : reply.body).toString('utf8');
    }
    const running = reply.start({
      pending: 0,
      whenReady: undefined,
      write: (frame) => {
        const event = parsed(Buffer.from(frame).toString('utf8')) as { type?: string; object?: unknown } | undefined;
        this.#delivered.push({
          watch: index + 1,
          type: event?.type ?? '',
          object: JSON.stringify(event?.object ?? null),
        });
        return true;
      },
      end: () => this.#delivered.push({ watch: index + 1, type: 'END', object: 'null' }),
    });
    this.#running.push(running);
    return '';
  }

  #see({ type, key, revision, entry, previous }: StoreEvent): void {
    const before = previous && textOf(previous);
    const after = type === 'put' ? textOf(entry) : undefined;
    this.#changes.push({
      type,
      key,
      revision,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    });
  }
}

function mapValues<T>(values: Readonly<Record<string, T>>, change: (value: T) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}

function textOf(entry: Entry): string | undefined {
  const object = readable(entry);
  return object && stringify(asJson(object));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

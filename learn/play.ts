import type { Reply } from '../reference/contracts/reply.ts';
import type { StoreEvent } from '../reference/contracts/store.ts';
import { readOptions } from '../reference/options/loadOptions.ts';
import { createReference, type Reference } from '../reference/reference.ts';
import { SystemClock } from '../reference/time.ts';
import { inProcessRequest } from '../reference/transport/inProcess.ts';
import { filledIn, named, type Words } from './placeholders.ts';
import type {
  DecisionTold,
  Delivered,
  Played,
  PlayedAnswer,
  PlayedRequest,
  PlayedStep,
  StoreChange,
} from './played.ts';
import { ACTORS, type Scenario, type ScenarioStep } from './scenario.ts';
import { startWebhook } from './storyWebhook.ts';

/** Default roles, and who holds them in every story. */
const RIGHTS: Readonly<Record<string, readonly string[]>> = { edit: ['author', 'rival'], view: ['watcher'] };

export interface PlayOptions {
  /** `kubernetes` or `cluster`. */
  readonly dialect: string;
  /** What the reader asks for in place of the scenario's request, by the step's place from 0. */
  readonly edits?: Readonly<Record<number, PlayedRequest>>;
}

/** Turns of the event loop without any change after which the controllers are thought to be done. */
const QUIET_TURNS = 5;
const MOST_TURNS = 500;

/**
 * Plays a scenario from its beginning, on a server of its own whose clock stands still but where the story lets time
 * pass. The same scenario with the same edits gives the same again.
 */
export async function play(scenario: Scenario, { dialect, edits = {} }: PlayOptions): Promise<Played> {
  const webhook = scenario.webhook && (await startWebhook(scenario.webhook, new SystemClock().now()));
  const stage = await Stage.open(dialect, { webhook_url: webhook?.url ?? '', webhook_ca: webhook?.caBundle ?? '' });
  try {
    const steps: PlayedStep[] = [];
    for (const [index, step] of scenario.steps.entries()) steps.push(await stage.play(step, index, edits[index]));
    return { scenario: scenario.name, steps };
  } finally {
    await stage.close();
    await webhook?.close();
  }
}

/** A server with everybody who acts on it, and what there is to see of it. */
class Stage {
  readonly #reference: Reference;
  readonly #words: Words;
  readonly #answers = new Map<string, unknown>();
  readonly #running: { stop(): void }[] = [];
  #changes: StoreChange[] = [];
  #delivered: Delivered[] = [];
  #count = 0;

  private constructor(reference: Reference, words: Words) {
    this.#reference = reference;
    this.#words = words;
  }

  static async open(dialect: string, words: Words): Promise<Stage> {
    const tokens = ACTORS.map(
      (name) => `${name}-token,${name},${name}-uid${name === 'admin' ? ',system:masters' : ''}`,
    );
    const loaded = readOptions(
      ['--seed=1', '--clock=virtual', '--explain', `--dialect=${dialect}`, '--token-auth-file=actors'],
      { read: () => `${tokens.join('\n')}\n` },
    );
    if ('errors' in loaded) throw new Error(loaded.errors.join('\n'));
    const reference = await createReference(loaded.options);
    const { apiDomain, labelDomain } = reference.services.dialect;
    const stage = new Stage(reference, { ...words, api_domain: apiDomain, label_domain: labelDomain });
    for (const [role, names] of Object.entries(RIGHTS)) await stage.#grant(role, names);
    await stage.#settle();
    const watcher = reference.services.store.watch('/', await reference.services.store.revision(), {
      event: (event: StoreEvent) => stage.#see(event),
    });
    stage.#running.push({ stop: () => watcher.cancel() });
    return stage;
  }

  async play(step: ScenarioStep, index: number, edit: PlayedRequest | undefined): Promise<PlayedStep> {
    this.#changes = [];
    this.#delivered = [];
    const { store, clock } = this.#reference.services;
    const before = await store.revision();
    if (step.wait > 0) {
      this.#reference.advance(step.wait);
      await this.#settle();
    }
    const asked = edit ?? (step.request && named(step.request, this.#words));
    const request = asked && filledIn(asked, this.#answers);
    const at = new Date(clock.now()).toISOString();
    const told = request && (await this.#ask(request, step, index));
    await this.#settle();
    return {
      title: step.title,
      look: step.look,
      waited: step.wait,
      at,
      ...(request && asked ? { request, asked } : {}),
      decisions: told?.decisions ?? [],
      ...(told ? { answer: told.answer } : {}),
      ...(step.expect === undefined || edit ? {} : { expect: step.expect }),
      changes: this.#changes,
      revision: { before, after: await store.revision() },
      delivered: this.#delivered,
    };
  }

  async close(): Promise<void> {
    for (const one of this.#running) one.stop();
    await this.#reference.close();
  }

  /** Gives a default role to some of the actors. */
  async #grant(role: string, names: readonly string[]): Promise<void> {
    const group = `rbac.authorization.${this.#words.api_domain}`;
    const subjects = names.map((name) => ({ apiGroup: group, kind: 'User', name }));
    const binding = {
      metadata: { name: role },
      roleRef: { apiGroup: group, kind: 'ClusterRole', name: role },
      subjects,
    };
    await this.#reference.handler(
      inProcessRequest({
        method: 'POST',
        target: `/apis/${group}/v1/clusterrolebindings`,
        headers: { authorization: 'Bearer admin-token', 'content-type': 'application/json' },
        body: JSON.stringify(binding),
      }),
    );
  }

  async #ask(
    { who, method, path, type, body }: PlayedRequest,
    step: ScenarioStep,
    index: number,
  ): Promise<{ decisions: readonly DecisionTold[]; answer: PlayedAnswer }> {
    this.#count += 1;
    const auditId = `step-${this.#count}`;
    const reply = await this.#reference.handler(
      inProcessRequest({
        method,
        target: path,
        headers: {
          authorization: `Bearer ${who}-token`,
          'audit-id': auditId,
          'user-agent': who,
          ...(type === '' ? {} : { 'content-type': type }),
        },
        body,
      }),
    );
    const text = this.#read(reply, index);
    if (step.id !== undefined) this.#answers.set(step.id, parsed(text));
    const account = this.#reference.explanations?.get(auditId)?.toJSON();
    const decisions = (account?.decisions ?? []) as unknown as DecisionTold[];
    const headers = Object.entries(reply.headers).map(([name, value]) => [name, String(value)]);
    const answer = {
      code: reply.code,
      headers: Object.fromEntries(headers),
      body: text,
      stream: reply.kind === 'stream',
    };
    return { decisions, answer };
  }

  /** The body of an answer; a stream stays open for the rest of the story. */
  #read(reply: Reply, index: number): string {
    if (reply.kind === 'whole') return Buffer.from(reply.body).toString('utf8');
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

  #see({ type, key, revision }: StoreEvent): void {
    this.#changes.push({ type, key, revision });
  }

  /** Lets controllers do what the last step gave them to do. */
  async #settle(): Promise<void> {
    let last = -1;
    for (let quiet = 0, turns = 0; quiet < QUIET_TURNS && turns < MOST_TURNS; turns++) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      const now = await this.#reference.services.store.revision();
      quiet = now === last ? quiet + 1 : 0;
      last = now;
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

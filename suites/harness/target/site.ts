import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { Redactor } from '../../../history/redact.ts';
import { Client, type Standing } from '../client/client.ts';
import { Connections } from '../client/connections.ts';
import { HistoryWriter } from '../client/historyWriter.ts';
import { Presence } from '../client/presence.ts';
import { isRecord } from '../json.ts';
import { NAME_PREFIX, RUN_LABEL } from '../space.ts';
import { type Probe, Prober } from './probe.ts';
import { missingRight } from './rights.ts';
import { type Identity, type RunSettings, TARGET_FILE, type Target, type TargetFile } from './target.ts';

interface SiteRole {
  readonly main?: boolean;
  readonly replaced?: (() => boolean) | undefined;
}

/** A target with open connections: what one worker shares among its checks. */
export class Site {
  readonly target: Target;
  readonly run: RunSettings;
  readonly redactor: Redactor;
  readonly #connections: Connections;
  readonly #history: HistoryWriter | undefined;
  readonly #replaced: () => boolean;
  readonly #standing: Standing | undefined;
  readonly #prober: Prober;
  #canary: Promise<string> | undefined;

  /**
   * @param as whether it is the target of the run, and no server that was started beside it; and whether another
   * server has taken the place of this one.
   */
  constructor(file: TargetFile, worker: number, { main = false, replaced = () => false }: SiteRole = {}) {
    this.target = file.target;
    this.run = file.run;
    this.redactor = new Redactor(secretsOf(file.target));
    this.#connections = new Connections(file.target);
    this.#replaced = replaced;
    this.#history = file.run.history ? new HistoryWriter(file.run.history, worker, this.redactor) : undefined;
    this.#prober = new Prober(file.target.base, this.#connections);
    this.#standing = main ? this.#standingOf(file.target) : undefined;
  }

  /** Why the target of the run is gone, as far as anybody has found out. */
  get gone(): string | undefined {
    return this.#standing?.presence.look();
  }

  #standingOf({ identities, dialect, rights }: Target): Standing {
    const admin = identities.admin ?? {};
    const file = process.env[TARGET_FILE];
    const probe = async () => {
      const answer = await this.#prober.once(admin, 'GET', '/api/v1/namespaces?limit=1');
      if (answer.status === 401) return 'it refuses the credentials that the run was given (401)';
      return answer.noAnswer?.kind === 'overload' ? undefined : answer.noAnswer?.words;
    };
    const presence = new Presence(probe, file === undefined ? undefined : join(dirname(file), 'target-gone'));
    const mayNot = async (method: string, path: string) =>
      rights?.all ? undefined : missingRight(this.#prober, dialect, admin, method, path);
    return { presence, mayNot };
  }

  /**
   * Whether the target is in a state to be judged: it answers, and takes and gives back a config map. It is asked
   * when something does not hold, so that a full disk or a gateway in between is not taken for a broken rule.
   *
   * @returns why it is not, as a clause; undefined where it is.
   */
  async unfit(): Promise<string | undefined> {
    if (!this.#standing) return undefined;
    const { rights } = this.target;
    const read = await this.#ask('GET', '/api/v1/namespaces?limit=1');
    const mayRead = rights?.all ?? !rights?.essential.some((each) => each.endsWith('namespaces'));
    if (read.noAnswer || (mayRead && isSick(read.status))) return this.#sick('it was asked for its namespaces', read);
    // Without the right to write, what it says of writes tells nothing.
    if (rights && rights.essential.length > 0) return undefined;
    this.#canary ??= this.#makeNamespace();
    const namespace = await this.#canary;
    const maps = `/api/v1/namespaces/${namespace}/configmaps`;
    const name = `canary-${randomBytes(4).toString('hex')}`;
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } };
    const made = await this.#ask('POST', maps, body);
    if (made.noAnswer || isSick(made.status)) {
      this.#canary = undefined;
      return this.#sick('it was to take a config map', made);
    }
    await this.#ask('DELETE', `${maps}/${name}`);
    return undefined;
  }

  #ask(method: string, path: string, body?: object): Promise<Probe> {
    return this.#prober.send(this.target.identities.admin ?? {}, method, path, {}, body);
  }
  #sick(what: string, { status, noAnswer, json }: Probe): string {
    const message = isRecord(json) && typeof json.message === 'string' ? `: ${json.message}` : '';
    return `the target is in no state to be judged: when ${what}, ${noAnswer?.words ?? `it answered ${status}${message}`}`;
  }
  async #makeNamespace(): Promise<string> {
    const name = `${NAME_PREFIX}-${this.run.id}-canary-${randomBytes(3).toString('hex')}`;
    const metadata = { name, labels: { [RUN_LABEL]: this.run.id } };
    await this.#ask('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata });
    return name;
  }

  /** A client of an actor. Whoever has no identity of their own acts as `admin`; `undefined` is anonymous. */
  client(actor: string, identity: Identity | undefined): Client {
    return new Client({
      actor,
      identity: identity ?? {},
      base: this.target.base,
      connections: this.#connections,
      history: this.#history,
      replaced: this.#replaced,
      standing: this.#standing,
      own: this.#standing !== undefined && identity !== undefined && identity === this.target.identities.admin,
    });
  }
  /** A client of the control port of the target; `undefined` where it has none. */
  control(): Client | undefined {
    const { control } = this.target;
    if (!control) return undefined;
    const identity = { token: control.token };
    return new Client({
      actor: 'clock',
      identity,
      base: control.base,
      connections: this.#connections,
      history: undefined,
    });
  }
  close(): Promise<void> {
    return this.#connections.close();
  }
}

/** Answers by which a server says that it cannot or will not do anything at all just now. */
function isSick(status: number): boolean {
  return status === 401 || status === 403 || status === 405 || status >= 500;
}

/** Everything in a target description that must not be written anywhere. */
export function secretsOf(target: Pick<Target, 'identities'>): string[] {
  return Object.values(target.identities).flatMap(({ token, key }) => [token ?? '', key ?? '']);
}

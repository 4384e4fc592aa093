import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import { readOptions } from '../../reference/options/loadOptions.ts';
import { createReference, type Reference } from '../../reference/reference.ts';
import { inProcessRequest } from '../../reference/transport/inProcess.ts';

/** A request as both the target and the oracle get it. */
export interface ComparedRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: object;
}
/** What the oracle answers. */
export interface Said {
  readonly status: number;
  readonly json: unknown;
}

/**
 * The reference in this process, as the model of what a target should do: the one place where the suites look into
 * it. It has a clock of its own that stands still, and refuses nobody: who may do what is for other checks.
 */
export class Oracle {
  readonly #reference: Reference;

  private constructor(reference: Reference) {
    this.#reference = reference;
  }

  /** @returns undefined for a dialect that the reference does not know by name. */
  static async start(dialect: Dialect): Promise<Oracle | undefined> {
    const flags = ['--seed=1', '--clock=virtual', '--authorization-mode=AlwaysAllow', `--dialect=${dialect.name}`];
    const loaded = readOptions(flags);
    if ('errors' in loaded) return undefined;
    const authentication = { ...loaded.options.authentication, anonymous: { enabled: true, paths: undefined } };
    return new Oracle(await createReference({ ...loaded.options, authentication }));
  }

  async ask({ method, path, headers, body }: ComparedRequest): Promise<Said> {
    const request = { method, target: path, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const reply = await this.#reference.handler(inProcessRequest(request));
    if (reply.kind !== 'whole') throw new Error(`the oracle answers ${method} ${path} with a stream`);
    return { status: reply.code, json: parsed(Buffer.from(reply.body).toString('utf8')) };
  }

  close(): Promise<void> {
    return this.#reference.close();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import { isRecord } from '../json.ts';
import type { Setup } from '../starting/setup.ts';
import { authority } from './authority.ts';
import type { ServiceKind } from './services.ts';
import { openTlsServer, type Reply, type ServiceRequest, type TlsServer } from './tlsServer.ts';

/** A review that was asked for. */
export interface AskedReview {
  readonly apiVersion: unknown;
  readonly kind: unknown;
  readonly spec: Readonly<Record<string, unknown>>;
  readonly method: string;
  /** Common name of the client certificate that the service showed. */
  readonly client: string | undefined;
}
/** What a token is answered with: the status of the review, or something else than a review altogether. */
export type ScriptedAnswer =
  | { readonly status: unknown; readonly spec?: object; readonly apiVersion?: string; readonly kind?: string }
  | { readonly instead: Reply };

/** Common name of the certificate by which the server under test shows itself to the webhook. */
export const WEBHOOK_CLIENT = 'server-under-test';
/** What the file of the client configuration is called in a setup. */
export const WEBHOOK_FILE = 'token-webhook.json';

/**
 * A webhook for token reviews: answers each token by a script, says of all others that it does not know them, and
 * keeps what it was asked.
 */
export class TokenWebhook {
  readonly url: string;
  /** The files that a server needs to reach it, and the flag that names them: part of a setup. */
  readonly setup: Required<Pick<Setup, 'flags' | 'files'>>;
  readonly #server: TlsServer;
  readonly #script: Map<string, ScriptedAnswer>;
  readonly #asked: Map<string, AskedReview[]>;

  constructor(parts: {
    server: TlsServer;
    client: { readonly certificate: string; readonly key: string };
    script: Map<string, ScriptedAnswer>;
    asked: Map<string, AskedReview[]>;
  }) {
    this.#server = parts.server;
    this.#script = parts.script;
    this.#asked = parts.asked;
    this.url = `${parts.server.base}/review`;
    this.setup = {
      flags: [`--authentication-token-webhook-config-file={${WEBHOOK_FILE}}`],
      files: {
        [WEBHOOK_FILE]: clientConfig(this.url),
        'token-webhook-ca.crt': parts.server.ca,
        'token-webhook-client.crt': parts.client.certificate,
        'token-webhook-client.key': parts.client.key,
      },
    };
  }

  /** How a token is answered from now on. */
  answer(token: string, answer: ScriptedAnswer): void {
    this.#script.set(token, answer);
  }
  /** The reviews that were asked for a token, in order. */
  asked(token: string): readonly AskedReview[] {
    return this.#asked.get(token) ?? [];
  }
  close(): Promise<void> {
    return this.#server.close();
  }
}

export const tokenWebhook: ServiceKind<TokenWebhook> = async (services) => {
  const script = new Map<string, ScriptedAnswer>();
  const asked = new Map<string, AskedReview[]>();
  const server = await openTlsServer(services, (call) => {
    const review = reviewIn(call);
    const token = String(review.spec.token);
    asked.set(token, [...(asked.get(token) ?? []), review]);
    const answer = script.get(token) ?? { status: { authenticated: false } };
    if ('instead' in answer) return answer.instead;
    return { body: { apiVersion: review.apiVersion, kind: review.kind, ...answer } };
  });
  const client = await (await services.get(authority)).issue({ commonName: WEBHOOK_CLIENT, usage: 'client' });
  return new TokenWebhook({ server, client, script, asked });
};

function reviewIn({ body, method, client }: ServiceRequest): AskedReview {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    value = undefined;
  }
  const { apiVersion, kind, spec } = isRecord(value) ? value : {};
  return { apiVersion, kind, spec: isRecord(spec) ? spec : {}, method, client };
}

/** The client configuration by which a server finds the webhook; the files it names are those of the setup. */
export function clientConfig(server: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'webhook', cluster: { server, 'certificate-authority': '{token-webhook-ca.crt}' } }],
    users: [
      {
        name: 'server',
        user: { 'client-certificate': '{token-webhook-client.crt}', 'client-key': '{token-webhook-client.key}' },
      },
    ],
    contexts: [{ name: 'webhook', context: { cluster: 'webhook', user: 'server' } }],
    'current-context': 'webhook',
  };
}

import { isRecord } from '../json.ts';
import { authority } from './authority.ts';
import type { ServiceKind } from './services.ts';
import { openTlsServer, type Reply, type ServiceRequest, type TlsServer } from './tlsServer.ts';

/** A question that a server under test asked. */
export interface AskedAccess {
  readonly apiVersion: unknown;
  readonly kind: unknown;
  readonly spec: Readonly<Record<string, unknown>>;
  readonly method: string;
  /** Common name of the client certificate that the server showed. */
  readonly client: string | undefined;
}
/** What a question is answered with: a decision, a status as it is, or something else than a review altogether. */
export type WebhookDecision =
  | 'allow'
  | 'deny'
  | 'no opinion'
  | { readonly status: unknown; readonly apiVersion?: string; readonly kind?: string }
  | { readonly instead: Reply };
/** A decision for every question about a user, or one that looks at the question. */
export type Script = WebhookDecision | ((asked: AskedAccess) => WebhookDecision | Promise<WebhookDecision>);

const STATUS = {
  allow: { allowed: true },
  deny: { allowed: false, denied: true },
  'no opinion': { allowed: false },
} as const;

/** Common name of the certificate by which a server under test shows itself to the webhook. */
export const AUTHORIZATION_CLIENT = 'server-under-test';

/**
 * A webhook for access reviews (2/authorization-configuration-file): answers about each user by a script, has no
 * opinion on all others, and keeps what it was asked. Checks share it, so each speaks of users of its own.
 */
export class AuthorizationWebhook {
  /** The files that a server needs to reach it, by the names that they have in a setup. */
  readonly files: Readonly<Record<string, string | object>>;
  /** Placeholder of the file of the client configuration, for a flag or a `kubeConfigFile`. */
  readonly configFile: string;
  readonly #server: TlsServer;
  readonly #scripts: Map<string, Script>;
  readonly #asked: Map<string, AskedAccess[]>;

  constructor(parts: {
    name: string;
    server: TlsServer;
    client: { readonly certificate: string; readonly key: string };
    scripts: Map<string, Script>;
    asked: Map<string, AskedAccess[]>;
  }) {
    const named = (end: string) => `authorization-${parts.name}${end}`;
    this.#server = parts.server;
    this.#scripts = parts.scripts;
    this.#asked = parts.asked;
    this.configFile = `{${named('.json')}}`;
    this.files = {
      [named('.json')]: {
        apiVersion: 'v1',
        kind: 'Config',
        clusters: [
          {
            name: 'webhook',
            cluster: { server: `${parts.server.base}/review`, 'certificate-authority': `{${named('-ca.crt')}}` },
          },
        ],
        users: [
          {
            name: 'server',
            user: { 'client-certificate': `{${named('-client.crt')}}`, 'client-key': `{${named('-client.key')}}` },
          },
        ],
        contexts: [{ name: 'webhook', context: { cluster: 'webhook', user: 'server' } }],
        'current-context': 'webhook',
      },
      [named('-ca.crt')]: parts.server.ca,
      [named('-client.crt')]: parts.client.certificate,
      [named('-client.key')]: parts.client.key,
    };
  }

  /** How questions about a user are answered from now on; those that were asked before are forgotten. */
  decide(user: string, script: Script): void {
    this.#scripts.set(user, script);
    this.#asked.delete(user);
  }
  /** The questions about a user since then, in order. */
  asked(user: string): readonly AskedAccess[] {
    return this.#asked.get(user) ?? [];
  }
  close(): Promise<void> {
    return this.#server.close();
  }
}

export const authorizationWebhook: ServiceKind<AuthorizationWebhook> = async (services, name) => {
  const scripts = new Map<string, Script>();
  const asked = new Map<string, AskedAccess[]>();
  const server = await openTlsServer(services, async (call) => {
    const question = questionIn(call);
    const user = String(question.spec.user);
    asked.set(user, [...(asked.get(user) ?? []), question]);
    const script = scripts.get(user) ?? 'no opinion';
    const decision = typeof script === 'function' ? await script(question) : script;
    if (typeof decision === 'object' && 'instead' in decision) return decision.instead;
    const answer = typeof decision === 'string' ? { status: STATUS[decision] } : decision;
    return { body: { apiVersion: question.apiVersion, kind: question.kind, ...answer } };
  });
  const signer = await services.get(authority);
  const client = await signer.issue({ commonName: AUTHORIZATION_CLIENT, usage: 'client' });
  return new AuthorizationWebhook({ name, server, client, scripts, asked });
};

function questionIn({ body, method, client }: ServiceRequest): AskedAccess {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    value = undefined;
  }
  const { apiVersion, kind, spec } = isRecord(value) ? value : {};
  return { apiVersion, kind, spec: isRecord(spec) ? spec : {}, method, client };
}

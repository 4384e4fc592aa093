import type { Awaitable } from '../../api/awaitable.ts';
import type { Authenticated, Authenticator, Rejection } from '../../contracts/authenticator.ts';
import { isPending } from '../../contracts/store.ts';
import type { TokenAuthenticator } from '../../contracts/tokenAuthenticator.ts';
import { currentTrace } from './currentTrace.ts';

type Answered = Authenticated | Rejection | undefined;

/** Why a method has nothing to say about a request, by its name. */
const DECLINED: Readonly<Record<string, string>> = {
  clientCertificate: 'the connection shows no client certificate that names anybody',
  bearerToken: 'the request has no Authorization header with a bearer token',
  tokenFile: 'the token is not in the static token file',
  serviceAccount: 'the token is none of a service account of this server',
  bootstrapToken: 'the token has not the form of a bootstrap token, or there is no such one',
  jwt: 'the token is none of a configured issuer',
  webhook: 'the webhook does not know the token',
  anonymous: 'anonymous requests are not allowed here',
};

/** The same method; tells the trace of the request what it made of it. */
export function toldMethod(method: Authenticator): Authenticator {
  return {
    name: method.name,
    authenticate: (request) => told(method.name, method.authenticate(request)),
  };
}

/** The same for a method of tokens. */
export function toldTokenMethod(method: TokenAuthenticator): TokenAuthenticator {
  return {
    name: method.name,
    authenticateToken: (token, audiences) => told(method.name, method.authenticateToken(token, audiences)),
  };
}

function told(by: string, answer: Awaitable<Answered>): Awaitable<Answered> {
  if (isPending(answer)) return answer.then((later) => told(by, later));
  const trace = currentTrace();
  if (!answer) {
    const because = DECLINED[by] ?? 'the request carries no credential of this method';
    trace?.note({ stage: 'authentication', by, outcome: 'declined', because });
  } else if ('rejected' in answer) {
    trace?.note({ stage: 'authentication', by, outcome: 'refused', because: answer.rejected });
  } else {
    const { username, groups } = answer.user;
    const because = by === 'anonymous' ? 'nobody else said who this is' : 'the credential is good';
    trace?.note({ stage: 'authentication', by, outcome: 'accepted', because, details: { username, groups } });
  }
  return answer;
}

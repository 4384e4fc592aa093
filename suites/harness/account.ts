import { groupName } from '../../fixtures/dialects/dialect.ts';
import { type Actor, named } from './actor.ts';
import { inconclusive } from './endings.ts';
import { isRecord } from './json.ts';
import { serviceAccounts } from './kinds.ts';
import type { Identity } from './target/target.ts';

/** Prepares a service account of the actor's namespace, and a token of it. */
export async function givenAccount(by: Actor, name: string): Promise<Identity> {
  await by.given(serviceAccounts, named(name));
  const apiVersion = `${groupName(by.dialect, 'authentication')}/v1`;
  const answer = await by.prepare(async (actor) =>
    actor.request('POST', await actor.pathOf(serviceAccounts, name, 'token'), {
      words: `${actor.name} asks for a token of account "${name}"`,
      body: { apiVersion, kind: 'TokenRequest', spec: {} },
    }),
  );
  const status = isRecord(answer.json) ? answer.json.status : undefined;
  const token = isRecord(status) ? status.token : undefined;
  if (typeof token !== 'string')
    return inconclusive('its preparation failed: the token request was answered without one');
  return { token, user: `system:serviceaccount:${await by.namespace()}:${name}` };
}

import { createPublicKey } from 'node:crypto';
import type { NEAR_VALUES } from '../../fixtures/ledger/index.ts';
import type { Actor, Identity, Services } from '../harness/index.ts';
import { FORGERIES, forgeriesOf, issuer, must } from '../harness/index.ts';
import { known, knownBefore, refused } from './known.ts';
import { whoAmI } from './whoAmI.ts';

/** Who the tokens of these checks are issued for. */
export const CLIENT = 'touchstone';
/** What a sound token of ada says, beside its issuer and its times. */
export const ADA = { sub: 'ada', aud: CLIENT };

/** What is almost the value that a claim must have, by the names of clauses. */
export const nearlyThe = (value: string): Readonly<Record<(typeof NEAR_VALUES)[number], unknown>> => ({
  'other-case': value.toUpperCase(),
  longer: `${value}.x`,
  shorter: value.slice(0, -1),
  'behind-a-blank': ` ${value}`,
  'before-a-blank': `${value} `,
  'in-a-list': [value],
  'in-a-longer-list': ['other', value],
  'in-an-object': { [value]: value },
});

interface Holder {
  readonly services: Services;
  readonly someone: (name: string, identity: Identity) => Actor;
}

/** Judges that every forgery of a token of this issuer is refused where a sound one is taken. */
export async function refusesForgeries({ services, someone }: Holder, url: string): Promise<void> {
  const [from, stranger] = [await services.get(issuer), await services.get(issuer, 'stranger')];
  const claims = { ...ADA, iss: url };
  await knownBefore(someone('ada', { token: await from.token({ claims }) }));
  for (const [what, forge] of Object.entries(FORGERIES)) {
    const eve = someone('eve', { token: await forge(from, claims, stranger) });
    must(`a token that ${what} is refused`, await whoAmI(eve), refused);
  }
  const sound = await from.token({ claims });
  // What was found good once is not good with another signature.
  must('a sound one is taken', await known(someone('ada', { token: sound })));
  const keys = [createPublicKey(await from.publicKey())];
  for (const { what, token } of forgeriesOf(sound, keys))
    must(`a token that ${what} is refused`, await whoAmI(someone('eve', { token })), refused);
  must('the sound one is still taken', await known(someone('ada', { token: await from.token({ claims }) })));
}

/** Everything a check is written with. */

export { load } from 'js-yaml';
export { type Actor, named, PATCH_TYPES } from './actor.ts';
export { check } from './check.ts';
export { clause } from './clause.ts';
export { MINUTE, SECOND } from './clock.ts';
export { defineType } from './customType.ts';
export { inconclusive, unsupported } from './endings.ts';
export { grantEverywhere, grantHere, on, type Rule, userSubject } from './grant.ts';
export { isRecord } from './json.ts';
export * from './kinds.ts';
export * as match from './match.ts';
export { must, ought } from './must.ts';
export { listIn, objectIn } from './reading.ts';
export { type ClauseName, clausesOf, type RequirementId } from './requirements.ts';
export { authority } from './services/authority.ts';
export { type AskedAccess, type AuthorizationWebhook, authorizationWebhook } from './services/authorizationWebhook.ts';
export { type Issuer, issuer, secondsFromNow } from './services/issuer.ts';
export type { Services } from './services/services.ts';
export { type TokenWebhook, tokenWebhook } from './services/tokenWebhook.ts';
export { should } from './should.ts';
export type { Setup, SetupOf } from './starting/setup.ts';
export type { Started } from './starting/started.ts';

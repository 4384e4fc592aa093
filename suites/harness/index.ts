/** Everything a check is written with. */

export { load } from 'js-yaml';
export { givenAccount } from './account.ts';
export { type Actor, named, PATCH_TYPES } from './actor.ts';
export { check } from './check.ts';
export { clause } from './clause.ts';
export type { RequestOptions } from './client/client.ts';
export type { Exchange } from './client/exchange.ts';
export type { WatchEvent, WatchStream } from './client/watchStream.ts';
export { MINUTE, SECOND } from './clock.ts';
export { defineType } from './customType.ts';
export { cborBody, objectInCbor, sequenceInCbor } from './encodings/cbor.ts';
export { asProtobufHas, envelopeIn, objectInProtobuf, protobufBody } from './encodings/protobuf.ts';
export { yamlText } from './encodings/yaml.ts';
export { Ending, inconclusive, unsupported } from './endings.ts';
export { aside, tellShortest } from './evidence.ts';
export { futureVersion } from './futureVersion.ts';
export { type GrantedRule, grantEverywhere, grantHere, on, userSubject } from './grant.ts';
export { type ApiObject, isRecord, type Json, type JsonObject, mergedInto } from './json.ts';
export * from './kinds.ts';
export * as match from './match.ts';
export { difference, type Matcher } from './matching/matcher.ts';
export { segments, valueAt } from './matching/paths.ts';
export { Metrics } from './metrics.ts';
export { must, ought } from './must.ts';
export { holds } from './property.ts';
export { chunksAfter, listIn, objectIn } from './reading.ts';
export { type ClauseName, clausesOf, type RequirementId } from './requirements.ts';
export { onePerLane } from './running/lane.ts';
export { listsSubresources, rootOfVersion, type ServedType, typesServed } from './servedTypes.ts';
export {
  admissionWebhook,
  allow,
  answerTo,
  type Behaviour,
  deny,
  type Hook,
  SERVICE,
} from './services/admissionWebhook.ts';
export { authority, bundleOfAuthorities, type Certified, certificateRequest } from './services/authority.ts';
export {
  type AskedAccess,
  type AuthorizationWebhook,
  authorizationWebhook,
  type WebhookDecision,
} from './services/authorizationWebhook.ts';
export { forgeriesOf } from './services/forgeries.ts';
export { type Claims, FORGERIES, type Issuer, issuer, secondsFromNow } from './services/issuer.ts';
export { rsaPair } from './services/rsaKeys.ts';
export type { ServiceKind, Services } from './services/services.ts';
export type { Reply } from './services/tlsServer.ts';
export {
  clientConfig,
  type ScriptedAnswer,
  type TokenWebhook,
  tokenWebhook,
  WEBHOOK_CLIENT,
  WEBHOOK_FILE,
} from './services/tokenWebhook.ts';
export { type Patience, type Sighting, should } from './should.ts';
export { RUN_LABEL } from './space.ts';
export type { Ready } from './starting/launch.ts';
export { atRelease, before, minorOf, ownRelease } from './starting/releases.ts';
export type { Setup, SetupOf } from './starting/setup.ts';
export type { Started } from './starting/started.ts';
export { streamsLists } from './streamingLists.ts';
export { type Capability, lacking } from './target/capabilities.ts';
export { deprecatedEndpoints } from './target/deprecatedEndpoints.ts';
export { selfReview, servesSelfReviews, tokenReview } from './target/selfReview.ts';
export type { Identity, Target } from './target/target.ts';
export { warningsIn } from './warningHeader.ts';

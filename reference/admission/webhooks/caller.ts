import { type Dialect, groupName } from '../../../fixtures/dialects/dialect.ts';
import type { Exchange } from '../../api/request.ts';
import { ApiError } from '../../api/status.ts';
import { readJson } from '../../codecs/json.ts';
import { stringify } from '../../codecs/jsonText.ts';
import type { AdmissionAttributes } from '../../contracts/admission.ts';
import type { Random } from '../../random.ts';
import { uuid } from '../../random.ts';
import type { Clock } from '../../time.ts';
import { annotate } from '../auditAnnotation.ts';
import { admissionRequest } from '../matching/admissionRequest.ts';
import type { VersionedView } from '../matching/versionedView.ts';
import { AnswerFault, type HookAnswer, readAnswer } from './answer.ts';
import type { HookConnections } from './connections.ts';
import { HookFault, noDryRun } from './fault.ts';
import type { Hook, HookKind } from './hook.ts';
import type { Invocation } from './matching.ts';
import { CallFault, postToHook } from './postToHook.ts';
import { reviewGroup, reviewText, reviewVersionOf } from './review.ts';
import { TrustFault } from './trust.ts';

/** Puts a review, as JSON text, to a hook and answers the text that came back. Throws HookFault. */
export type PutReview = (review: string, hook: Hook, signal: AbortSignal) => Promise<string>;

export interface CallerDependencies {
  readonly clock: Clock;
  readonly random: Random;
  readonly dialect: Dialect;
  readonly connections: HookConnections;
  /** What stands between the server and its hooks. */
  readonly reviews?: ((put: PutReview) => PutReview) | undefined;
}

/** What can be asked of a {@link HookCaller}. */
export type HookCalls = Pick<HookCaller, 'ask' | 'pass' | 'noteIgnored' | 'noteMutation' | 'notePatch'>;

/** Puts reviews to hooks of one kind. */
export class HookCaller {
  readonly #kind: HookKind;
  readonly #dependencies: CallerDependencies;
  readonly #put: PutReview;

  constructor(kind: HookKind, dependencies: CallerDependencies) {
    this.#kind = kind;
    this.#dependencies = dependencies;
    const put: PutReview = (review, hook, signal) => this.#post(review, hook, signal);
    this.#put = dependencies.reviews?.(put) ?? put;
  }

  /**
   * Asks one hook.
   * @param sent the request in the version that it was made through
   * @throws HookFault where there is no answer to go by, ApiError 400 where a dry run must not reach the hook
   */
  async ask(attributes: AdmissionAttributes, { hook, view }: Invocation, sent: VersionedView): Promise<HookAnswer> {
    const { name, sideEffects, reviewVersions } = hook;
    if (attributes.dryRun && sideEffects !== 'None' && sideEffects !== 'NoneOnDryRun') throw noDryRun(name);
    const version = reviewVersionOf(reviewVersions);
    if (!version) {
      throw new HookFault(
        name,
        'could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)',
      );
    }
    const { dialect, random } = this.#dependencies;
    const uid = uuid(random);
    const body = reviewText(dialect, version, admissionRequest(attributes, sent, view, uid), view);
    const text = await this.#put(body, hook, attributes.exchange.request.signal);
    try {
      return readAnswer(text, { kind: this.#kind, group: reviewGroup(dialect), version, uid });
    } catch (error) {
      throw error instanceof AnswerFault ? new HookFault(name, error.message) : error;
    }
  }

  async #post(body: string, hook: Hook, signal: AbortSignal): Promise<string> {
    const { connections, clock, dialect } = this.#dependencies;
    try {
      const connection = await connections.to(hook.client);
      const userAgent = `${dialect.componentPrefix}apiserver-admission`;
      return await postToHook({ connection, body, userAgent, timeout: hook.timeout, clock, signal });
    } catch (error) {
      if (error instanceof CallFault) throw new HookFault(hook.name, `failed to call webhook: ${error.message}`);
      if (error instanceof TrustFault) throw new HookFault(hook.name, `could not get REST client: ${error.message}`);
      throw error;
    }
  }

  /** Hands on what an answer says to the client and to the audit log. */
  pass({ warnings, auditAnnotations }: HookAnswer, { name }: Hook, exchange: Exchange): void {
    for (const [key, value] of Object.entries(auditAnnotations)) annotate(exchange, `${name}/${key}`, value);
    for (const warning of warnings) exchange.warnings.add(warning);
  }

  /** Notes in the audit log that a failure was let pass. `place` numbers the hook within its round. */
  noteIgnored({ name }: Hook, exchange: Exchange, round: number, place: number): void {
    const kind = this.#kind === 'validating' ? 'validating' : 'mutation';
    const prefix = groupName(this.#dependencies.dialect, `failed-open.${kind}.webhook.admission`);
    annotate(exchange, `${prefix}/round_${round}_index_${place}`, name);
  }

  /** Notes in the audit log whether a mutating hook changed the object. */
  noteMutation(
    { name, configuration }: Hook,
    exchange: Exchange,
    round: number,
    place: number,
    mutated: boolean,
  ): void {
    const prefix = groupName(this.#dependencies.dialect, 'mutation.webhook.admission');
    annotate(
      exchange,
      `${prefix}/round_${round}_index_${place}`,
      JSON.stringify({ configuration, webhook: name, mutated }),
    );
  }

  /** Notes in the audit log, where it tells of bodies, how a mutating hook changed the object. `patch` is JSON. */
  notePatch({ name, configuration }: Hook, exchange: Exchange, round: number, place: number, patch: string): void {
    if (!exchange.recorder?.bodies) return;
    const prefix = groupName(this.#dependencies.dialect, 'patch.webhook.admission');
    const told = { configuration, webhook: name, patch: readJson(patch).value, patchType: 'JSONPatch' };
    annotate(exchange, `${prefix}/round_${round}_index_${place}`, stringify(told));
  }
}

/** Tells the trace, where there is one, what came of a hook. */
export function noteHook({ trace }: Exchange, { name, configuration }: Hook, error: unknown): void {
  trace?.note({
    stage: 'admission',
    by: `webhook ${name}`,
    outcome: error === undefined ? 'allowed' : error instanceof ApiError ? 'refused' : 'failed',
    because: error instanceof Error ? error.message : 'the hook allows it',
    details: { configuration },
  });
}

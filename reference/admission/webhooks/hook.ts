import type { JsonObject } from '../../api/json.ts';
import { type ApiObject, asJson } from '../../api/object.ts';
import { numberOf, objectOf, objectsOf, textOf, textsOf } from '../../api/parts.ts';
import type { LabelSelector } from '../../selectors/labelRequirement.ts';
import type { MatchCondition } from '../expressions/conditions.ts';
import { ruleOf, selectorOf } from '../matching/criteria.ts';
import type { RequestRule } from '../matching/target.ts';

/** Whether hooks judge objects or change them. */
export type HookKind = 'validating' | 'mutating';

/** Where a hook is, and by what its certificate is judged (1/validatingwebhookconfiguration/t1.3). */
export interface HookClient {
  /** Empty where a service is named. */
  readonly url: string;
  readonly service: HookService | undefined;
  /** PEM; empty: the authorities that the machine trusts. */
  readonly ca: string;
}
export interface HookService {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
  /** Empty, or with a slash in front. */
  readonly path: string;
}

/** One webhook of a configuration, read for calling. */
export interface Hook {
  /** Tells it from every other hook, also from one of the same name in its configuration. */
  readonly id: string;
  readonly configuration: string;
  readonly name: string;
  readonly client: HookClient;
  readonly rules: readonly RequestRule[];
  /** A call that fails counts as allowed. */
  readonly ignoresFailure: boolean;
  /** Requests through another version of a listed resource count too (1/validatingwebhookconfiguration/t1.14). */
  readonly equivalent: boolean;
  readonly namespaceSelector: LabelSelector;
  readonly objectSelector: LabelSelector;
  /** As written: `None`, `NoneOnDryRun`, `Some`, `Unknown`; empty where absent. */
  readonly sideEffects: string;
  /** Milliseconds. */
  readonly timeout: number;
  /** In order of preference. */
  readonly reviewVersions: readonly string[];
  readonly conditions: readonly MatchCondition[];
  /** Called a second time when others changed the object after it (mutating hooks). */
  readonly reinvoked: boolean;
}

const DEFAULT_TIMEOUT = 10_000;
const DEFAULT_PORT = 443;

/** The hooks of a configuration object of either kind, in their order. */
export function hooksOf(configuration: ApiObject): Hook[] {
  const name = configuration.metadata.name ?? '';
  const seen = new Map<string, number>();
  return objectsOf(asJson(configuration).webhooks).map((webhook) => {
    const hookName = textOf(webhook.name);
    const number = seen.get(hookName) ?? 0;
    seen.set(hookName, number + 1);
    return {
      id: `${name}/${hookName}/${number}`,
      configuration: name,
      name: hookName,
      client: clientOf(objectOf(webhook.clientConfig)),
      rules: objectsOf(webhook.rules).map(ruleOf),
      ignoresFailure: webhook.failurePolicy === 'Ignore',
      equivalent: webhook.matchPolicy !== 'Exact',
      // What an older configuration leaves out restricts nothing.
      namespaceSelector: selectorOf(webhook.namespaceSelector),
      objectSelector: selectorOf(webhook.objectSelector),
      sideEffects: textOf(webhook.sideEffects),
      timeout: webhook.timeoutSeconds === undefined ? DEFAULT_TIMEOUT : (numberOf(webhook.timeoutSeconds) ?? 0) * 1000,
      reviewVersions: textsOf(webhook.admissionReviewVersions),
      conditions: objectsOf(webhook.matchConditions).map((condition) => ({
        name: textOf(condition.name),
        expression: textOf(condition.expression),
      })),
      reinvoked: webhook.reinvocationPolicy === 'IfNeeded',
    };
  });
}

function clientOf(config: JsonObject): HookClient {
  const service = config.service === undefined ? undefined : objectOf(config.service);
  return {
    url: textOf(config.url),
    service: service && {
      namespace: textOf(service.namespace),
      name: textOf(service.name),
      port: numberOf(service.port) || DEFAULT_PORT,
      path: textOf(service.path),
    },
    ca: Buffer.from(textOf(config.caBundle), 'base64').toString('latin1'),
  };
}

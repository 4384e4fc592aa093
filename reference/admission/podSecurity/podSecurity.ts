import type { Dialect } from '../../../fixtures/dialects/dialect.ts';
import { equalJson, type Json } from '../../api/json.ts';
import { type ApiObject, asJson } from '../../api/object.ts';
import { forbidden } from '../../api/status.ts';
import type { Admission, AdmissionAttributes } from '../../contracts/admission.ts';
import type { Store } from '../../contracts/store.ts';
import { objectKey } from '../../contracts/storeKeys.ts';
import { annotate } from '../auditAnnotation.ts';
import { baseline } from './baseline.ts';
import { restricted } from './restricted.ts';
import { type Check, makesPods, type PodView, podOf } from './violation.ts';

const LEVELS: Readonly<Record<string, readonly Check[]>> = {
  privileged: [],
  baseline: Object.values(baseline),
  restricted,
};
type Mode = 'enforce' | 'audit' | 'warn';

/** A level as the labels of a namespace ask for it. */
interface Asked {
  /** `restricted:latest`. */
  readonly shown: string;
  readonly checks: readonly Check[];
}

/**
 * Plugin PodSecurity: holds pods to the level that labels of their namespace say. `enforce` refuses pods (403); `warn`
 * and `audit` are about what makes pods too. Pods are judged by the newest version of the levels.
 */
export function podSecurity({ store, dialect }: { readonly store: Store; readonly dialect: Dialect }): Admission {
  const prefix = `pod-security.${dialect.labelDomain}`;
  return {
    name: 'PodSecurity',
    concerns: makesPods,
    async validate(attributes) {
      const pod = judgedPod(attributes);
      if (!pod) return;
      const { endpoint, namespace, object, name, exchange } = attributes;
      const labels = await labelsOf(namespace, store);
      const isPod = endpoint.type.resource === 'pods';
      const enforced = isPod ? askedFor('enforce', labels, prefix) : undefined;
      if (enforced) {
        annotate(exchange, `${prefix}/enforce-policy`, enforced.shown);
        const violations = violationsOf(pod, enforced);
        if (violations !== '') {
          const shown = object?.metadata.name || object?.metadata.generateName || name || 'Unknown';
          const why = `violates PodSecurity ${JSON.stringify(enforced.shown)}: ${violations}`;
          throw forbidden(endpoint.type, shown, why);
        }
      }
      for (const mode of ['audit', 'warn'] as const) {
        const asked = askedFor(mode, labels, prefix);
        const violations = asked ? violationsOf(pod, asked) : '';
        if (!asked || violations === '') continue;
        const text = `would violate PodSecurity ${JSON.stringify(asked.shown)}: ${violations}`;
        if (mode === 'warn') exchange.warnings.add(text);
        else annotate(exchange, `${prefix}/audit-violations`, text);
      }
    },
  };
}

/** The pod that a write is about; undefined where nothing changes in it that levels look at. */
function judgedPod({ operation, endpoint, object, oldObject }: AdmissionAttributes): PodView | undefined {
  const { type, subresource } = endpoint;
  if (operation !== 'CREATE' && operation !== 'UPDATE') return undefined;
  if (!object?.metadata || (subresource && subresource.name !== 'ephemeralcontainers')) return undefined;
  const pod = podOf(type.group, type.resource, object);
  if (!pod || !oldObject || operation === 'CREATE') return pod;
  return equalJson(contentOf(object), contentOf(oldObject)) ? undefined : pod;
}

function contentOf(object: ApiObject): Json {
  const { spec = null, template = null } = asJson(object);
  return { spec, template, annotations: (object.metadata.annotations ?? {}) as Json } as Json;
}

async function labelsOf(namespace: string, store: Store): Promise<Readonly<Record<string, string>>> {
  const entry = await store.get(objectKey({ group: '', resource: 'namespaces' }, '', namespace));
  return entry?.object.metadata.labels ?? {};
}

/** A level that there is not is taken for the strictest. */
function askedFor(mode: Mode, labels: Readonly<Record<string, string>>, prefix: string): Asked | undefined {
  const level = labels[`${prefix}/${mode}`];
  if (level === undefined) return undefined;
  const known = Object.hasOwn(LEVELS, level) ? level : 'restricted';
  const version = labels[`${prefix}/${mode}-version`];
  return { shown: `${known}:${version || 'latest'}`, checks: LEVELS[known] as readonly Check[] };
}

function violationsOf(pod: PodView, { checks }: Asked): string {
  const found = checks.map((check) => check(pod)).filter((one) => one !== undefined);
  return found.map(({ reason, detail }) => (detail === '' ? reason : `${reason} (${detail})`)).join(', ');
}

import { randomUUID } from 'node:crypto';
import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';
import { isRecord } from '../harness/json.ts';
import type { Prober } from '../harness/target/probe.ts';
import type { Identity, Target } from '../harness/target/target.ts';
import type { AboutResource, AccessAttributes, NamedType, Question } from './question.ts';
import { readAccess } from './reading.ts';
import { readRoles } from './roles.ts';
import type { AccessExplanation, ReviewAnswer } from './tell.ts';

export interface ResourceScope {
  readonly namespace: string;
  readonly subresource: string;
}

/** A question that the target gives no answer to; the message is one sentence for whoever asked. */
export class Unanswerable extends Error {
  override readonly name = 'Unanswerable';
}

/**
 * Puts a question to a server, and reads its roles by ourselves. Changes nothing there.
 *
 * @throws Unanswerable for a type that is not served, and when the server does not answer reviews
 */
export async function findOut(
  target: Target,
  prober: Prober,
  asked: AccessAttributes,
  place: ResourceScope,
): Promise<AccessExplanation> {
  const admin = target.identities.admin ?? {};
  const question = await settled(target, prober, admin, asked, place);
  const auditId = randomUUID();
  const verdict = await review(target.dialect, prober, admin, question, auditId);
  const reading = await readRoles(async (plural) => itemsOf(prober, admin, target.dialect, plural)).then(
    (roles) => readAccess(question, roles),
    (error: unknown) => `could not be read: ${error instanceof Error ? error.message : String(error)}`,
  );
  const explained = await prober.get(admin, `/debug/explain/${auditId}`);
  const told =
    isRecord(explained.json) && Array.isArray(explained.json.decisions) ? explained.json.decisions : undefined;
  return { question, verdict, reading, trace: explained.status === 200 ? told : undefined };
}

async function settled(
  target: Target,
  prober: Prober,
  admin: Identity,
  asked: AccessAttributes,
  place: ResourceScope,
): Promise<Question> {
  const { user, groups, verb, about } = asked;
  if ('path' in about) {
    if (place.namespace || place.subresource) {
      throw new Unanswerable('A path has neither a namespace nor a subresource.');
    }
    return { user, groups, verb, about };
  }
  const found = await lookUp(target, prober, admin, about.type);
  const namespace = found.namespaced ? place.namespace : '';
  const { group, resource } = found;
  return {
    user,
    groups,
    verb,
    about: { group, resource, namespace, name: about.name, subresource: place.subresource },
  };
}

type Type = Pick<AboutResource, 'group' | 'resource'> & { readonly namespaced: boolean };

/** Finds a type by its plural, its singular, its kind or a short name; the core group first, then as discovery has them. */
async function lookUp({ served }: Target, prober: Prober, admin: Identity, { word, group }: NamedType): Promise<Type> {
  const versions = [
    ...new Set(
      served.map((each) =>
        each
          .split('/')
          .slice(0, each.startsWith('v1/') ? 1 : 2)
          .join('/'),
      ),
    ),
  ];
  for (const version of versions) {
    const own = version.includes('/') ? version.slice(0, version.indexOf('/')) : '';
    if (group !== undefined && group !== own) continue;
    const path = version.includes('/') ? `/apis/${version}` : `/api/${version}`;
    const { json } = await prober.get(admin, path);
    const resources = isRecord(json) && Array.isArray(json.resources) ? json.resources : [];
    for (const each of resources) {
      if (!isRecord(each) || String(each.name).includes('/') || !isNamed(each, word.toLowerCase())) continue;
      return { group: own, resource: String(each.name), namespaced: each.namespaced === true };
    }
  }
  throw new Unanswerable(`The server serves no ${group === undefined ? word : `${word}.${group}`}.`);
}

function isNamed({ name, singularName, kind, shortNames }: Readonly<Record<string, unknown>>, word: string): boolean {
  const short = Array.isArray(shortNames) ? shortNames : [];
  return [name, singularName, kind, ...short].some((one) => typeof one === 'string' && one.toLowerCase() === word);
}

async function review(
  dialect: Dialect,
  prober: Prober,
  admin: Identity,
  { user, groups, verb, about }: Question,
  auditId: string,
): Promise<ReviewAnswer> {
  const group = groupName(dialect, 'authorization');
  const attributes =
    'path' in about
      ? { nonResourceAttributes: { path: about.path, verb } }
      : { resourceAttributes: { ...about, verb } };
  const answer = await prober.send(
    admin,
    'POST',
    `/apis/${group}/v1/subjectaccessreviews`,
    { 'audit-id': auditId },
    { apiVersion: `${group}/v1`, kind: 'SubjectAccessReview', spec: { user, groups, ...attributes } },
  );
  const status = isRecord(answer.json) ? answer.json.status : undefined;
  if (answer.status < 200 || answer.status > 202 || !isRecord(status)) {
    const said = isRecord(answer.json) && typeof answer.json.message === 'string' ? `: ${answer.json.message}` : '';
    throw new Unanswerable(`The server does not answer access reviews (${answer.failure ?? answer.status})${said}.`);
  }
  return {
    allowed: status.allowed === true,
    denied: status.denied === true,
    reason: typeof status.reason === 'string' ? status.reason : '',
    error: typeof status.evaluationError === 'string' ? status.evaluationError : '',
  };
}

async function itemsOf(prober: Prober, admin: Identity, dialect: Dialect, plural: string): Promise<readonly unknown[]> {
  const answer = await prober.get(admin, `/apis/${groupName(dialect, 'rbac.authorization')}/v1/${plural}`);
  if (answer.status === 200 && isRecord(answer.json)) {
    return Array.isArray(answer.json.items) ? answer.json.items : [];
  }
  throw new Error(`${plural} answered ${answer.failure ?? answer.status}`);
}

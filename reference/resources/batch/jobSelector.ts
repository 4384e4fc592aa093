import type { Dialect } from '../../../fixtures/dialects/dialect.ts';
import { type JsonObject, member, setMember } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { ensureObject, objectOf } from '../../api/parts.ts';
import { inheritLabels, templateLabels } from '../workloads/podTemplates.ts';

/** Labels that tie pods to their job, each under its old name and its name in the service's domain. */
export function jobLabels({ labelDomain }: Dialect): { name: readonly string[]; owner: readonly string[] } {
  return {
    name: ['job-name', `batch.${labelDomain}/job-name`],
    owner: ['controller-uid', `batch.${labelDomain}/controller-uid`],
  };
}

/**
 * Gives the pods of a new job labels that no others have, and the job a selector for them, unless the client selects
 * by itself. In place; what the client set of these stays, for validation to judge.
 */
export function generateSelector(job: ApiObject, dialect: Dialect): void {
  const spec = ensureObject(job, 'spec');
  if (spec.manualSelector === true) return;
  const { name, owner } = jobLabels(dialect);
  const labels = ensureObject(ensureObject(ensureObject(spec, 'template'), 'metadata'), 'labels');
  const uid = job.metadata.uid ?? '';
  for (const label of name) setAbsent(labels, label, job.metadata.name ?? '');
  for (const label of owner) setAbsent(labels, label, uid);
  const selected = ensureObject(ensureObject(spec, 'selector'), 'matchLabels');
  setAbsent(selected, owner[1] ?? '', uid);
  inheritLabels(job, templateLabels(objectOf(job.spec)));
}

function setAbsent(labels: JsonObject, name: string, value: string): void {
  if (member(labels, name) === undefined) setMember(labels, name, value);
}

import type { Row } from '../../covering/covering.ts';
import type { JsonObject } from '../../harness/json.ts';
import type { Step, Who } from '../step.ts';
import type { SequenceType } from '../types.ts';

const RBAC = 'rbac.authorization.{domain}';

/** The right that a row is about, and what it asks of the object of a name, what is kept of it by another. */
export interface Asked {
  readonly right: Right;
  /** What comes before it, of an object of its own. */
  readonly before?: 'apply';
  readonly steps: (name: string, keep: string) => readonly Step[];
}
/** Who asks, and the verb and the resource that rights name. */
export interface Right {
  readonly who: string;
  readonly verb: string;
  readonly place: string;
}

/** The resource of a row, as roles name it: `widgets/status`. */
export const placeIn = ({ type = '', sub = 'none' }: Row): string => (sub === 'none' ? type : `${type}/${sub}`);
/** The subresource of such a resource; empty where it is none. */
export const subOf = (place: string): string => place.split('/')[1] ?? '';
const groupOf = ({ who, verb, place }: Right): string => `{id}-${who}-${verb}${subOf(place)}`;
/** Whoever has a right, or lacks it in the way that a row says. */
export const asking = (right: Right): Who => {
  const { who } = right;
  if (who === 'admin' || who === 'nobody') return who;
  if (who === 'unknown') return { token: UNKNOWN };
  return who === 'stranger' ? { user: '{id}-ann' } : { user: '{id}-ben', groups: [groupOf(right)] };
};
/** A token that no server knows. */
export const UNKNOWN = 'known-to-nobody';
const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];

/** Gives groups the rights that rows are about, once each. */
export function granting(type: SequenceType, rights: readonly Right[]): Step[] {
  const needed = new Map(
    rights.filter(({ who }) => ['only', 'but', 'beside'].includes(who)).map((right) => [groupOf(right), right]),
  );
  const post = (plural: string, kind: string, name: string, rest: JsonObject): Step => ({
    as: 'admin',
    method: 'POST',
    path: `/apis/${RBAC}/v1/${plural}`,
    body: { apiVersion: `${RBAC}/v1`, kind, metadata: { name }, ...rest },
    unseen: true,
  });
  const apiGroups = [type.apiVersion.includes('/') ? (type.apiVersion.split('/')[0] as string) : ''];
  return [...needed].flatMap(([name, { who, verb, place }]) => {
    const verbs = who === 'but' ? VERBS.filter((each) => each !== verb) : [verb];
    const beside = place.includes('/') ? type.plural : `${type.plural}/status`;
    const resources = [who === 'beside' ? beside : place];
    return [
      post('clusterroles', 'ClusterRole', name, { rules: [{ apiGroups, resources, verbs }] }),
      post('clusterrolebindings', 'ClusterRoleBinding', name, {
        roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name },
        subjects: [{ apiGroup: RBAC, kind: 'Group', name }],
      }),
    ];
  });
}

/** The right that a row is about, where it asks with a verb. */
export const rightIn = (row: Row, verb: string): Right => ({ who: row.who ?? '', verb, place: placeIn(row) });

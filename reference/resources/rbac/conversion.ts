import { groupName } from '../../../fixtures/dialects/dialect.ts';
import { departs } from '../../../fixtures/follow.ts';
import { isObject, type JsonObject } from '../../api/json.ts';
import { type ApiObject, asApiObject, asJson } from '../../api/object.ts';
import { ensureObject, listOf, setDefault, textOf } from '../../api/parts.ts';
import type { DeprecatedVersions } from '../builtinType.ts';
import { compact, withItems } from '../conversion/reshape.ts';

/*
 * Bindings in rbac.authorization/v1alpha1, where a subject names a version and not a group.
 */

/** Bindings of roles, in a namespace or everywhere. */
export const deprecatedBindings: DeprecatedVersions = (_, { dialect, follow }) => {
  const group = groupName(dialect, 'rbac.authorization');
  const toV1 = ({ apiVersion, ...subject }: JsonObject): JsonObject => {
    const text = textOf(apiVersion);
    const apiGroup = text.includes('/') ? text.slice(0, text.indexOf('/')) : '';
    // Once a user named `*` was anybody who is known.
    if (subject.kind === 'User' && subject.name === '*') {
      return { ...subject, kind: 'Group', apiGroup: group, name: 'system:authenticated' };
    }
    return compact({ ...subject, apiGroup: apiGroup || undefined });
  };
  const fromV1 = ({ apiGroup, ...subject }: JsonObject): JsonObject => ({
    ...subject,
    apiVersion: textOf(apiGroup) === '' ? 'v1' : `${textOf(apiGroup)}/v1alpha1`,
  });
  return {
    conversions: {
      v1alpha1: {
        toStorage: (binding) => withSubjects(binding, toV1),
        fromStorage: (binding) => withSubjects(binding, fromV1),
      },
    },
    defaults: {
      v1alpha1(binding) {
        if (departs(follow, 'role-ref-group-filled')) setDefault(ensureObject(binding, 'roleRef'), 'apiGroup', group);
        for (const subject of listOf(binding.subjects)) {
          if (!isObject(subject)) continue;
          setDefault(subject, 'apiVersion', subject.kind === 'ServiceAccount' ? 'v1' : `${group}/v1alpha1`);
        }
      },
    },
  };
};

function withSubjects(binding: ApiObject, change: (subject: JsonObject) => JsonObject): ApiObject {
  return asApiObject(withItems(asJson(binding), 'subjects', change));
}

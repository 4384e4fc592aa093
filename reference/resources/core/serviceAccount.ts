import type { JsonObject } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { objectsOf, textOf } from '../../api/parts.ts';
import type { RuleMaker } from '../builtinType.ts';

function nameOnly({ name }: JsonObject): JsonObject {
  return textOf(name) === '' ? {} : { name: textOf(name) };
}

/** Of its secrets a service account keeps the names alone. */
export const serviceAccountRules: RuleMaker = ({ dialect }) => {
  const annotation = `${dialect.labelDomain}/enforce-mountable-secrets`;
  const prepare = (object: ApiObject): void => {
    if (object.secrets) {
      object.secrets = objectsOf(object.secrets).map(nameOnly);
    }
  };
  return {
    strategy: {
      unconditionalUpdate: true,
      deleteReturnsObject: true,
      prepareForCreate: prepare,
      prepareForUpdate: (object) => prepare(object),
      warnings: ({ metadata }, old) =>
        metadata.annotations?.[annotation] === undefined || old?.metadata.annotations?.[annotation] !== undefined
          ? []
          : [
              `metadata.annotations[${annotation}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
            ],
    },
  };
};

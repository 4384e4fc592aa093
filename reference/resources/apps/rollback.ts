import { isObject } from '../../api/json.ts';
import { asApiObject, asJson } from '../../api/object.ts';
import type { SubresourceOperation } from '../../contracts/resourceType.ts';
import { withRollback } from './conversion.ts';

/**
 * POST to `rollback` of a Deployment, in the versions that have it: notes the revision that is wanted and answers a
 * Status (3/removed-api-versions-by-release/t1.27).
 */
export const deploymentRollback: SubresourceOperation = async ({ parent, body }) => {
  const { name, rollbackTo, updatedAnnotations } = asJson(body);
  const revision = isObject(rollbackTo) && typeof rollbackTo.revision === 'number' ? rollbackTo.revision : 0;
  const annotations = isObject(updatedAnnotations) ? (updatedAnnotations as Record<string, string>) : {};
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    message: `rollback request for deployment ${JSON.stringify(name ?? '')} succeeded`,
    code: 200,
  };
  return { answer: asApiObject(status), code: 200, parent: withRollback(parent, revision, annotations) };
};

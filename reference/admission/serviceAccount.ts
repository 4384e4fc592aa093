import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import { isObject, type Json, type JsonObject } from '../api/json.ts';
import { type ApiObject, asJson } from '../api/object.ts';
import { forbidden } from '../api/status.ts';
import type { Admission, AdmissionAttributes } from '../contracts/admission.ts';
import type { Store } from '../contracts/store.ts';
import { objectKey } from '../contracts/storeKeys.ts';
import { podReferences } from '../objects/podReferences.ts';
import { nameSuffix, type Random } from '../random.ts';
import { onlyTypes } from './onlyTypes.ts';

const ACCOUNTS = { group: '', resource: 'serviceaccounts' };
const DEFAULT_ACCOUNT = 'default';
/** Where programs in a pod look for their token. */
const tokenDirectory = ({ labelDomain }: Dialect) => `/var/run/secrets/${labelDomain}/serviceaccount`;
const TOKEN_SECONDS = 3607;

/** What the plugin needs besides the request. */
export interface ServiceAccountDependencies {
  readonly store: Store;
  readonly dialect: Dialect;
  readonly random: Random;
}

/**
 * Gives pods a service account, refuses those whose account is missing (403), and mounts its token unless account or
 * pod say otherwise.
 */
export function serviceAccount({ store, dialect, random }: ServiceAccountDependencies): Admission {
  return {
    name: 'ServiceAccount',
    concerns: onlyTypes('', 'pods'),
    async mutate({ operation, endpoint, object, namespace, name }: AdmissionAttributes): Promise<void> {
      const { type, subresource } = endpoint;
      if (operation !== 'CREATE' || subresource || type.group !== '' || type.resource !== 'pods' || !object) return;
      const spec = isObject(object.spec) ? object.spec : {};
      object.spec = spec;
      // A pod that a node mirrors has nothing that the service gives, and names nothing of it either.
      if (object.metadata.annotations?.[`${dialect.labelDomain}/config.mirror`] !== undefined) {
        const fault = mirrorFault(object, spec);
        if (fault)
          throw forbidden(type, name || object.metadata.generateName || 'Unknown', `a mirror pod may not ${fault}`);
        return;
      }
      const account = typeof spec.serviceAccountName === 'string' ? spec.serviceAccountName : DEFAULT_ACCOUNT;
      spec.serviceAccountName = account;
      spec.serviceAccount = account;
      const entry = await store.get(objectKey(ACCOUNTS, namespace, account));
      if (!entry) {
        throw forbidden(
          type,
          name || object.metadata.generateName || 'Unknown',
          `error looking up service account ${namespace}/${account}: serviceaccount ${JSON.stringify(account)} not found`,
        );
      }
      addAccountFields(spec, entry.object, dialect, random);
    },
  };
}

/** What a mirror pod names that it may not; undefined where it names nothing. */
function mirrorFault(pod: ApiObject, spec: JsonObject): string | undefined {
  if (spec.serviceAccountName) return 'reference service accounts';
  const named = [...podReferences(pod)];
  if (named.some((reference) => reference.startsWith('secrets/'))) return 'reference secrets';
  if (named.some((reference) => reference.startsWith('configmaps/'))) return 'reference configmaps';
  const sources = listOf(spec.volumes).flatMap((volume) =>
    isObject(volume) && isObject(volume.projected) ? listOf(volume.projected.sources) : [],
  );
  const tokens = sources.some((source) => isObject(source) && isObject(source.serviceAccountToken));
  return tokens ? 'use ServiceAccountToken volume projections' : undefined;
}

function addAccountFields(spec: JsonObject, account: ApiObject, dialect: Dialect, random: Random): void {
  const wanted = spec.automountServiceAccountToken ?? asJson(account).automountServiceAccountToken ?? true;
  if (wanted === true) mountToken(spec, dialect, random);
  const secrets = asJson(account).imagePullSecrets;
  if (listOf(spec.imagePullSecrets).length === 0 && listOf(secrets).length > 0)
    spec.imagePullSecrets = [...listOf(secrets)];
}

/** Adds the volume with the token to all containers that mount nothing at its place. */
function mountToken(spec: JsonObject, dialect: Dialect, random: Random): void {
  const mountPath = tokenDirectory(dialect);
  const containers = ['initContainers', 'containers'].flatMap((field) => listOf(spec[field])).filter(isObject);
  const lacking = containers.filter(
    (one) => !listOf(one.volumeMounts).some((mount) => isObject(mount) && mount.mountPath === mountPath),
  );
  if (lacking.length === 0) return;
  const name = `kube-api-access-${nameSuffix(random)}`;
  for (const container of lacking) {
    const mount = { name, readOnly: true, mountPath };
    container.volumeMounts = [...listOf(container.volumeMounts), mount];
  }
  spec.volumes = [...listOf(spec.volumes), { name, projected: projection(dialect) }];
}

/** Token, certificates and namespace in one directory. */
function projection({ rootCaConfigMap }: Dialect): JsonObject {
  const downward = { path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } };
  return {
    sources: [
      { serviceAccountToken: { expirationSeconds: TOKEN_SECONDS, path: 'token' } },
      { configMap: { name: rootCaConfigMap, items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      { downwardAPI: { items: [downward] } },
    ],
    defaultMode: 0o644,
  };
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

import { clausesOf, SAID_IN_BODIES, type SaidInBody } from '../../../fixtures/ledger/index.ts';
import {
  type Actor,
  apiVersionOf,
  check,
  clause,
  clusterRoles,
  configMaps,
  type GrantedRule,
  givenAccount,
  type JsonObject,
  type Kind,
  leases,
  must,
  on,
  PATCH_TYPES,
  secrets,
  serviceAccounts,
} from '../../harness/index.ts';
import { forbidden } from '../decisions.ts';
import { entitled } from '../persons.ts';

/** What is sent, and whether nothing but its body says that it is about what somebody may write. */
interface Sent {
  readonly method: 'POST' | 'PUT' | 'PATCH';
  /** Types of the content; one that patches says how. */
  readonly types: readonly string[];
  readonly kind: Kind;
  /** The name in the path. */
  readonly name?: string;
  readonly body: JsonObject;
}
const OBJECTS = ['application/json', 'application/yaml'];
const PATCHES = [PATCH_TYPES.merge, PATCH_TYPES.strategic, PATCH_TYPES.apply];

/** What bodies say of what somebody may write, who may write nothing of what the path says. */
const SAID: Readonly<Record<SaidInBody, (eve: Actor, there: string) => readonly Sent[]>> = {
  'name-of-what-is-created': (eve) =>
    [configMaps, leases, clusterRoles].map((kind) => ({
      method: 'POST',
      types: OBJECTS,
      kind,
      body: body(eve, kind, { name: eve.space.nameOf(kind, 'hers') }),
    })),
  'name-of-what-is-put': (eve) => [
    { method: 'PUT', types: OBJECTS, kind: configMaps, name: 'doc', body: body(eve, configMaps, { name: 'hers' }) },
  ],
  'name-of-what-is-patched': (eve) => [
    { method: 'PATCH', types: PATCHES, kind: configMaps, name: 'doc', body: body(eve, configMaps, { name: 'hers' }) },
  ],
  namespace: (eve, namespace) => [
    { method: 'POST', types: OBJECTS, kind: secrets, body: body(eve, secrets, { name: 'new', namespace }) },
    { method: 'PUT', types: OBJECTS, kind: secrets, name: 'doc', body: body(eve, secrets, { name: 'doc', namespace }) },
  ],
  type: (eve) => [
    { method: 'POST', types: OBJECTS, kind: leases, body: body(eve, serviceAccounts, { name: 'new' }) },
    { method: 'PUT', types: OBJECTS, kind: leases, name: 'doc', body: body(eve, serviceAccounts, { name: 'doc' }) },
  ],
};

/** A rule for all writing of objects that are called `hers`. */
function ofHers({ dialect, space }: Actor, kind: Kind): GrantedRule {
  return { ...on(kind, dialect, 'create', 'update', 'patch'), resourceNames: [space.nameOf(kind, 'hers')] };
}

check(
  'AUTHZ-ATTRIBUTE-03.5',
  'somebody may write objects of one name, in another namespace, or of another type, and says by a body that this is one → 403',
  clausesOf('AUTHZ-ATTRIBUTE-03', 'body'),
  async ({ admin, someone, dialect }) => {
    // By credentials of her own: who acts as somebody else is known in two steps, of which one may have the body.
    const eve = someone('eve', await givenAccount(admin, 'eve'));
    const there = admin.elsewhere();
    for (const kind of [configMaps, secrets, leases]) await admin.given(kind, { metadata: { name: 'doc' } });
    const writing = (kind: Kind) => on(kind, dialect, 'create', 'update', 'patch');
    await entitled(admin, eve, { here: [ofHers(eve, configMaps), ofHers(eve, leases), writing(serviceAccounts)] });
    await entitled(admin, eve, { everywhere: [ofHers(eve, clusterRoles)] }, 'eve-everywhere');
    await entitled(there, eve, { here: [writing(secrets)] }, 'eve-there');
    for (const said of SAID_IN_BODIES)
      await clause(`AUTHZ-ATTRIBUTE-03/body/${said}`, async () => {
        for (const { method, types, kind, name = '', body } of SAID[said](eve, await there.namespace()))
          for (const type of types) {
            const path = `${await eve.pathOf(kind, name)}?dryRun=All&fieldManager=eve`;
            const answer = await eve.request(method, path, { headers: { 'content-type': type }, body: text(body) });
            must(`${method} of ${kind.plural} as ${type}`, answer, forbidden);
          }
      });
  },
);

function body({ dialect }: Actor, kind: Kind, metadata: JsonObject): JsonObject {
  return { ...kind.least(dialect), apiVersion: apiVersionOf(kind, dialect), kind: kind.kind, metadata };
}
const text = (body: JsonObject): string => JSON.stringify(body);

import { type Dialect, protobufMediaType } from '../../../fixtures/dialects/dialect.ts';
import { API_VERBS, type ApiVerb, clausesOf } from '../../../fixtures/ledger/index.ts';
import {
  type Actor,
  check,
  clause,
  type Exchange,
  must,
  PATCH_TYPES,
  type ServedType,
  typesServed,
} from '../../harness/index.ts';
import { authorized, forbidden } from '../decisions.ts';
import { entitled } from '../persons.ts';

/** Nothing has this label, and nothing is called so: whatever is let through changes nothing. */
const NOTHING = 'labelSelector=touchstone%2Fnobody-has-this';
const ABSENT = 'touchstone-none';
const CALLED_SO = `fieldSelector=metadata.name%3D${ABSENT}`;
/** By the default roles everybody who is known may ask about themselves. */
const ABOUT_ONESELF = /^self[a-z]+reviews$/;

/** What is asked of a type, or of a subresource, that discovery lists: paths, and how each is asked for. */
function requestsOf(type: ServedType, verb: ApiVerb, namespace: string): readonly (readonly [string, string])[] {
  const [resource = '', subresource] = type.name.split('/');
  const collection = `${type.root}/${type.namespaced ? `namespaces/${namespace}/` : ''}${resource}`;
  const object = `${collection}/${ABSENT}${subresource === undefined ? '' : `/${subresource}`}`;
  const all = `${type.root}/${resource}`;
  switch (verb) {
    case 'create':
      return [['POST', subresource === undefined ? collection : object]];
    case 'update':
      return [['PUT', object]];
    case 'patch':
      return [['PATCH', object]];
    case 'delete':
      return [['DELETE', object]];
    case 'get':
      return [['GET', object]];
    case 'list':
      return [
        ['GET', `${all}?limit=1&${NOTHING}`],
        ['GET', `${collection}?${CALLED_SO}`],
      ];
    case 'watch':
      return [
        ['GET', `${all}?watch=true&timeoutSeconds=1&${NOTHING}`],
        ['GET', `${collection}?watch=true&timeoutSeconds=1&${CALLED_SO}`],
      ];
    case 'deletecollection':
      return [['DELETE', `${collection}?dryRun=All&${NOTHING}`]];
  }
}

/** In what forms an answer is wanted beside JSON, which every server has; none of them is another right. */
const formsOf = (dialect: Dialect): readonly string[] => {
  const as = (kind: string) => `application/json;as=${kind};v=v1;g=meta.${dialect.apiDomain}`;
  const metadata = `${as('PartialObjectMetadata')}, ${as('PartialObjectMetadataList')}`;
  return ['', metadata, as('Table'), 'application/yaml', 'application/cbor', protobufMediaType(dialect)];
};

/** Sends a request; a patch of the kind whose turn it is, and what reads for the form whose turn it is. */
async function ask(actor: Actor, method: string, path: string, turn: number): Promise<Exchange> {
  const watches = path.includes('watch=true');
  // Nothing in the text says how events stand in YAML, nor what comes first of no right and no such form.
  const forms = formsOf(actor.dialect).filter((each) => !watches || each !== 'application/yaml');
  const headers = { accept: [forms[turn % forms.length], 'application/json'].filter((each) => each !== '').join(', ') };
  if (watches) return (await actor.openStream(`${actor.name} watches ${path}`, path, { headers })).opening;
  if (method === 'GET') return actor.request(method, path, { headers });
  if (method !== 'PATCH') return actor.request(method, path, { body: {} });
  const kinds = Object.entries(PATCH_TYPES);
  const [kind, type = ''] = kinds[turn % kinds.length] ?? [];
  return actor.request(method, `${path}${kind === 'apply' ? '?fieldManager=touchstone' : ''}`, {
    headers: { 'content-type': type },
    body: kind === 'json' ? [] : {},
  });
}

/** What is asked by a right to it as well: it neither makes nor changes anything, whatever a server makes of it. */
const HARMLESS: readonly ApiVerb[] = ['get', 'list', 'watch'];

check(
  'AUTHZ-VERB-01.5',
  'several may all verbs but one on everything, and several one alone → what discovery lists with a verb is refused without it, in all namespaces too, and reads are authorized by it',
  clausesOf('AUTHZ-VERB-01', 'every-type'),
  ['impersonation'],
  async ({ admin, person, target, dialect }) => {
    const own = new RegExp(`^([a-z]*|.*\\.${dialect.apiDomain.replaceAll('.', '\\.')})$`);
    const types = (await typesServed(admin, target.served)).filter(
      ({ group, name }) => own.test(group) && !ABOUT_ONESELF.test(name),
    );
    const namespace = await admin.namespace();
    const everything = { apiGroups: ['*'], resources: ['*'] };
    const people = await Promise.all(
      API_VERBS.map(async (verb) => {
        const [all, one] = [person(`all-but-${verb}`), person(`only-${verb}`)];
        const others = API_VERBS.filter((other) => other !== verb);
        await entitled(admin, all, { everywhere: [{ ...everything, verbs: others }] });
        if (HARMLESS.includes(verb)) await entitled(admin, one, { everywhere: [{ ...everything, verbs: [verb] }] });
        return [verb, all, one] as const;
      }),
    );
    for (const [verb, all, one] of people)
      await clause(`AUTHZ-VERB-01/${verb}/every-type`, async () => {
        const requests = types
          .filter(({ verbs }) => verbs.includes(verb))
          .flatMap((type) => requestsOf(type, verb, namespace));
        await Promise.all(
          requests.map(async ([method, path], turn) => {
            must(`${method} ${path} without ${verb}`, await ask(all, method, path, turn), forbidden);
            if (!HARMLESS.includes(verb)) return;
            must(`${method} ${path} by ${verb}`, await ask(one, method, path, turn), authorized);
          }),
        );
        all.closeStreams();
        one.closeStreams();
      });
  },
);

check(
  'RBAC-RULE-01.3',
  'for each type that discovery lists, somebody may everything on all others of its group and on all of other groups → they may nothing of it',
  ['RBAC-RULE-01', 'AUTHZ-ATTRIBUTE-01'],
  ['impersonation'],
  async ({ admin, person, target, dialect }) => {
    const own = new RegExp(`^([a-z]*|.*\\.${dialect.apiDomain.replaceAll('.', '\\.')})$`);
    const listed = (await typesServed(admin, target.served)).filter(({ group }) => own.test(group));
    const types = new Map(
      listed.filter(({ name }) => !name.includes('/')).map((type) => [`${type.group}/${type.name}`, type]),
    );
    const groups = [...new Set(listed.map(({ group }) => group))];
    const namespace = await admin.namespace();
    await Promise.all(
      [...types.values()].map(async (type, turn) => {
        if (ABOUT_ONESELF.test(type.name)) return;
        const beside = listed.filter(({ group, name }) => group === type.group && name.split('/')[0] !== type.name);
        const whom = person(`all-but-${type.name}-${groups.indexOf(type.group)}`);
        const elsewhere = groups.filter((group) => group !== type.group);
        const others = [...new Set(beside.map(({ name }) => name))];
        await entitled(admin, whom, {
          everywhere: [
            { verbs: ['*'], apiGroups: elsewhere, resources: ['*'] },
            ...(others.length === 0 ? [] : [{ verbs: ['*'], apiGroups: [type.group], resources: others }]),
          ],
        });
        const asked = API_VERBS.filter((verb) => type.verbs.includes(verb)).flatMap((verb) =>
          requestsOf(type, verb, namespace).slice(0, 1),
        );
        for (const [method, path] of asked)
          must(`${method} ${path} by what is beside it`, await ask(whom, method, path, turn), forbidden);
        whom.closeStreams();
      }),
    );
  },
);

import { type Actor, check, clusterRoles, type Exchange, isRecord, match, must, should } from '../../harness/index.ts';
import { mayThey, no, type ReviewedAttributes, yes } from '../reviews.ts';
import { defaultBindingOf } from './defaultBinding.ts';

/** A server with roles that keeps its objects in a folder of the check. */
const KEEPS = { flags: ['--authorization-mode=RBAC'], folders: ['data'], data: 'data' };

const ROLE = 'clusterroles/system:basic-user';
const GONE = 'clusterroles/system:monitoring';

check(
  'RBAC-DEFAULT-02.1',
  'the admin empties a default role and a default binding, deletes another role, and starts the server again → what they lack is added',
  ['RBAC-DEFAULT-02'],
  async ({ start, dialect }) => {
    const server = await start(KEEPS);
    const before = server.as('admin');
    const binding = await pathOfBinding(before);
    const may = (actor: Actor, question: ReviewedAttributes) =>
      mayThey(actor, { groups: ['system:authenticated'] }, question);
    const self = { verb: 'create', group: `authorization.${dialect.apiDomain}`, resource: 'selfsubjectaccessreviews' };
    const discovery = { verb: 'get', path: '/apis' };
    for (const question of [self, discovery]) must('everybody may', await may(before, question), yes);
    must('the role is changed', await changed(before, ROLE, { rules: [] }), match.status(200));
    must('so is the binding', await changed(before, binding, { subjects: [] }), match.status(200));
    must('the other role is gone', await before.request('DELETE', pathOf(before, GONE)), match.status(200));
    for (const question of [self, discovery]) must('nobody may', await should(() => may(before, question), no));
    await server.end('stop');
    must('it starts again', await server.again(), match.starts);

    const after = server.as('admin');
    must('permissions that the role lacked are added', await should(() => may(after, self), yes));
    must('and subjects that the binding lacked', await should(() => may(after, discovery), yes));
    must('the role that was gone', await read(after, GONE), match.status(200));
  },
);

check(
  'RBAC-DEFAULT-02.2',
  'the admin adds rules and subjects of their own to defaults, and starts the server again → they are kept beside what belongs there',
  ['RBAC-DEFAULT-02'],
  async ({ start, dialect }) => {
    const server = await start(KEEPS);
    const before = server.as('admin');
    const binding = await pathOfBinding(before);
    const apiGroup = `rbac.authorization.${dialect.apiDomain}`;
    const rules = [{ verbs: ['list'], apiGroups: [''], resources: ['touchstones'] }];
    const subjects = [{ kind: 'User', name: 'touchstone-added', apiGroup }];
    // Any value but "false" leaves a default to be kept up.
    const metadata = { annotations: { [`${dialect.rbacAnnotationDomain}/autoupdate`]: 'true' } };
    const found = [await read(before, ROLE), await read(before, binding)];
    must('the role is changed', await changed(before, ROLE, { metadata, rules }), match.status(200));
    must('so is the binding', await changed(before, binding, { metadata, subjects }), match.status(200));
    await server.end('stop');
    must('it starts again', await server.again(), match.starts);

    const after = server.as('admin');
    const may = (groups: readonly string[], user: string, question: ReviewedAttributes) =>
      mayThey(after, { groups, user }, question);
    const everybody = ['system:authenticated'];
    const self = { verb: 'create', group: `authorization.${dialect.apiDomain}`, resource: 'selfsubjectaccessreviews' };
    const own = { verb: 'list', group: '', resource: 'touchstones' };
    must('the role has what it lacked', await should(() => may(everybody, 'any', self), yes));
    must('and what was added', await may(everybody, 'any', own), yes);
    must('the binding has whom it lacked', await may(everybody, 'any', { verb: 'get', path: '/apis' }), yes);
    must('and who was added', await may([], 'touchstone-added', { verb: 'get', path: '/apis' }), yes);
    for (const each of found) await givenBack(after, each);
  },
);

check(
  'RBAC-DEFAULT-02.3',
  'the admin lets default roles that aggregate gather something else, and starts the server again → they give what they gave, and that beside it',
  ['RBAC-DEFAULT-02'],
  ['controllers'],
  async ({ start, dialect }) => {
    const server = await start(KEEPS);
    const before = server.as('admin');
    const found = await read(before, 'clusterroles/view');
    const gives = async (actor: Actor, resource: string) => {
      const { json } = await read(actor, 'clusterroles/view');
      return JSON.stringify(isRecord(json) ? json.rules : undefined).includes(`"${resource}"`);
    };
    const labels = { [`${dialect.rbacAnnotationDomain}/touchstone`]: 'true' };
    const rules = [{ verbs: ['list'], apiGroups: [''], resources: ['touchstones'] }];
    const role = await before.fill(clusterRoles, { metadata: { name: 'touchstone-gathered', labels }, rules });
    const gathers = { aggregationRule: { clusterRoleSelectors: [{ matchLabels: labels }] } };
    const made = await before.request('POST', pathOf(before, 'clusterroles'), { body: role });
    must('another role is there', made, match.created);
    must('the default gathers it', await changed(before, 'clusterroles/view', gathers), match.status(200));
    must('and nothing else', await should(() => gives(before, 'configmaps'), match.equal(false)), match.equal(false));
    await server.end('stop');
    must('it starts again', await server.again(), match.starts);

    const after = server.as('admin');
    must('it gives what it gave', await should(() => gives(after, 'configmaps'), match.equal(true)), match.equal(true));
    must('and what was added', await should(() => gives(after, 'touchstones'), match.equal(true)), match.equal(true));
    await givenBack(after, found);
    await after.request('DELETE', `${pathOf(after, 'clusterroles')}/${role.metadata.name}`);
  },
);

check(
  'RBAC-DEFAULT-03.1',
  'the admin sets autoupdate to false, empties a default role and a default binding, and starts the server again → they stay so',
  ['RBAC-DEFAULT-03'],
  async ({ start, dialect }) => {
    const server = await start(KEEPS);
    const before = server.as('admin');
    const binding = await pathOfBinding(before);
    const metadata = { annotations: { [`${dialect.rbacAnnotationDomain}/autoupdate`]: 'false' } };
    const found = [await read(before, ROLE), await read(before, binding)];
    must('the role is changed', await changed(before, ROLE, { metadata, rules: [] }), match.status(200));
    must('so is the binding', await changed(before, binding, { metadata, subjects: [] }), match.status(200));
    await server.end('stop');
    must('it starts again', await server.again(), match.starts);

    const after = server.as('admin');
    const [role, bound] = [await read(after, ROLE), await read(after, binding)];
    // A target that was running already would be left without them.
    for (const each of found) await givenBack(after, each);
    must('the role stays', role, match.status(200), match.field('rules', match.empty));
    must('so does the binding', bound, match.status(200), match.field('subjects', match.empty));
  },
);

/** The default binding that lets everybody read discovery. */
const pathOfBinding = async (actor: Actor) =>
  `clusterrolebindings/${await defaultBindingOf(actor, 'system:discovery')}`;

function pathOf({ dialect }: Actor, what: string): string {
  return `/apis/rbac.authorization.${dialect.apiDomain}/v1/${what}`;
}
/** Writes a default as it was found, whatever it has become since. */
async function givenBack(actor: Actor, { json }: Exchange): Promise<void> {
  if (!isRecord(json) || !isRecord(json.metadata)) return;
  const { name, labels, annotations } = json.metadata;
  const plural = json.kind === 'ClusterRole' ? 'clusterroles' : 'clusterrolebindings';
  const body = { ...json, metadata: { name, labels, annotations } };
  await actor.request('PUT', pathOf(actor, `${plural}/${String(name)}`), { body });
}
function read(actor: Actor, what: string) {
  return actor.request('GET', pathOf(actor, what));
}
function changed(actor: Actor, what: string, body: object) {
  const headers = { 'content-type': 'application/merge-patch+json' };
  return actor.request('PATCH', pathOf(actor, what), { headers, body });
}

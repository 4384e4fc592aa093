import { EVERY_VERB } from '../../../fixtures/ledger/index.ts';
import type { SetupOf } from '../../harness/index.ts';
import {
  type Actor,
  check,
  clause,
  clausesOf,
  deprecatedEndpoints,
  type Kind,
  match,
  must,
  should,
  unsupported,
} from '../../harness/index.ts';
import { audited, eventsIn } from './auditLog.ts';
import { callsOf } from './everyCall.ts';
import { cronJobs, everyVerb, nightly } from './everyVerb.ts';
import { defineOldType } from './oldType.ts';

const auditedAt124: SetupOf = async (services, dialect) => {
  return { ...(await audited(services, dialect)), release: '1.24' };
};

check(
  'DEPRECATED-AUDIT-01.1',
  'the watcher calls what is deprecated and what is not → only the first event is annotated',
  clausesOf('DEPRECATED-AUDIT-01', ['list', 'another-call']),
  async ({ start, target, dialect }) => {
    const [endpoint] = deprecatedEndpoints(target);
    if (!endpoint) unsupported('discovery names no deprecated endpoint');
    const path = endpoint.served.startsWith('v1/') ? `/api/${endpoint.served}` : `/apis/${endpoint.served}`;
    const server = await start(audited);
    const watcher: Actor = server.as('admin');
    await watcher.prepare(() => watcher.request('GET', path));
    await watcher.prepare(() => watcher.request('GET', '/api/v1/namespaces'));
    const eventOf = (uri: string) => async () =>
      eventsIn(server.read('audit.log')).find((each) => each.requestURI === uri && each.stage === 'ResponseComplete');
    const annotation = match.at(['annotations', `${dialect.apiDomain}/deprecated`], 'true');
    await clause('DEPRECATED-AUDIT-01/list', async () => {
      must('it is annotated', await should(eventOf(path), annotation));
    });
    await clause('DEPRECATED-AUDIT-01/another-call', async () => {
      const other = await should(eventOf('/api/v1/namespaces'), match.anObject);
      must('the other call is written too', other);
      must('it is not annotated', other.subject, match.not(annotation));
    });
  },
);

check(
  'DEPRECATED-AUDIT-01.2',
  'the admin does all there is with a version that release 1.24 calls deprecated, and with its replacement → the events of the first alone are annotated',
  clausesOf('DEPRECATED-AUDIT-01'),
  ['releases'],
  async ({ start, space, dialect }) => {
    const server = await start(auditedAt124);
    const namespace = `${space.prefix}-audited`;
    const admin = server.as('admin').in(namespace);
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
    await admin.prepare(() => admin.request('POST', '/api/v1/namespaces', { body }));
    await everyVerb(admin, cronJobs, nightly);
    await everyVerb(admin, { ...cronJobs, version: 'v1' }, nightly);
    const annotation = match.at(['annotations', `${dialect.apiDomain}/deprecated`], 'true');
    const eventOf = (version: string, verb: string) => async () =>
      eventsIn(server.read('audit.log')).find(
        ({ requestURI, verb: told, stage }) =>
          stage === 'ResponseComplete' &&
          told === (verb === 'apply' ? 'patch' : verb) &&
          String(requestURI).startsWith(`/apis/batch/${version}/namespaces/${namespace}/`) &&
          // Patches are of one object, applies of another.
          (told !== 'patch' || String(requestURI).includes('/cronjobs/b') === (verb === 'apply')),
      );
    // When the last call is written those before it are.
    await should(eventOf('v1', 'deletecollection'), match.anObject);
    for (const verb of EVERY_VERB) {
      await clause(`DEPRECATED-AUDIT-01/${verb}`, async () => {
        must(`${verb} is annotated`, await eventOf('v1beta1', verb)(), annotation);
      });
    }
    await clause('DEPRECATED-AUDIT-01/another-call', async () => {
      for (const verb of EVERY_VERB) {
        const other = await should(eventOf('v1', verb), match.anObject);
        must(`${verb} of the replacement is written too`, other);
        must(`${verb} of the replacement is not annotated`, other.subject, match.not(annotation));
      }
    });
  },
);

check(
  'DEPRECATED-AUDIT-02.1',
  'the admin does all there is with both versions of a custom type, one of them deprecated → the events of that one alone are annotated',
  clausesOf('DEPRECATED-AUDIT-02'),
  async ({ start, space, dialect }) => {
    const server = await start(audited);
    const namespace = `${space.prefix}-audited`;
    const admin = server.as('admin').in(namespace);
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
    await admin.prepare(() => admin.request('POST', '/api/v1/namespaces', { body }));
    const { old, current } = await defineOldType(admin);
    for (const kind of [old, current]) for (const [word, ask] of callsOf(kind)) await ask(admin, word);
    const annotation = match.at(['annotations', `${dialect.apiDomain}/deprecated`], 'true');
    const read = () => eventsIn(server.read('audit.log'));
    const of = (all: Record<string, unknown>[], { group, version }: Kind, word: string) => {
      const root = `/apis/${group}/${version}/`;
      return all.filter(
        ({ requestURI, stage }) =>
          stage === 'ResponseComplete' &&
          String(requestURI).startsWith(root) &&
          new RegExp(`[?&]asked=${word}(&|$)`).test(String(requestURI)),
      );
    };
    const words = [...callsOf(old).keys()];
    // When the last call is written those before it are.
    await should(async () => of(read(), current, words.at(-1) ?? ''), match.not(match.size(0)));
    const all = read();
    for (const word of words) {
      await clause(`DEPRECATED-AUDIT-02/${word}`, async () => {
        const told = must('it is written', of(all, old, word), match.not(match.size(0)));
        must(`${word} is annotated`, told, match.every(annotation));
      });
    }
    await clause('DEPRECATED-AUDIT-02/another-call', async () => {
      for (const word of words) {
        const told = must(`${word} is written too`, of(all, current, word), match.not(match.size(0)));
        must(`${word} of the other version is not annotated`, told, match.every(match.not(annotation)));
      }
    });
  },
);

import { groupName } from '../../../fixtures/dialects/dialect.ts';
import type { SetupOf } from '../../harness/index.ts';
import {
  type Actor,
  check,
  deprecatedEndpoints,
  isRecord,
  match,
  must,
  should,
  unsupported,
} from '../../harness/index.ts';

const audited: SetupOf = (_, dialect) => ({
  flags: ['--audit-policy-file={policy.json}', '--audit-log-path={audit.log}'],
  files: {
    'policy.json': { apiVersion: `${groupName(dialect, 'audit')}/v1`, kind: 'Policy', rules: [{ level: 'Metadata' }] },
    'audit.log': '',
  },
});

check(
  'the watcher calls what is deprecated and what is not → only the first event is annotated',
  ['DEPRECATED-AUDIT-01'],
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
    must('it is annotated', await should(eventOf(path), annotation));
    const other = await should(eventOf('/api/v1/namespaces'), match.anObject);
    must('the other call is written too', other);
    must('it is not annotated', other.subject, match.not(annotation));
  },
);

/** The events of an audit log, a line each; the last line may be half written. */
function eventsIn(text: string): Record<string, unknown>[] {
  return text.split('\n').flatMap((line) => {
    try {
      const event: unknown = JSON.parse(line);
      return isRecord(event) ? [event] : [];
    } catch {
      return [];
    }
  });
}

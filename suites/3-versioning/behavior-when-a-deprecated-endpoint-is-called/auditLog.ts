import { groupName } from '../../../fixtures/dialects/dialect.ts';
import { isRecord, type SetupOf } from '../../harness/index.ts';

/** A server that writes the metadata of every request into the file `audit.log`. */
export const audited: SetupOf = (_, dialect) => ({
  flags: ['--audit-policy-file={policy.json}', '--audit-log-path={audit.log}'],
  files: {
    'policy.json': { apiVersion: `${groupName(dialect, 'audit')}/v1`, kind: 'Policy', rules: [{ level: 'Metadata' }] },
    'audit.log': '',
  },
});

/** The events of an audit log, a line each; the last line may be half written. */
export function eventsIn(text: string): Record<string, unknown>[] {
  return text.split('\n').flatMap((line) => {
    try {
      const event: unknown = JSON.parse(line);
      return isRecord(event) ? [event] : [];
    } catch {
      return [];
    }
  });
}

import type { StateChange } from './changes.ts';
import type { RecordedRequest, ToldDecision } from './history.ts';
import type { ReferenceServer } from './server.ts';

/** Requests that are told in full, the last ones; and characters of a value. */
const MOST_REQUESTS = 20;
const MOST_CHANGES = 20;
const MOST_FIELDS = 10;
const LONGEST = 300;

/**
 * What a test did to its server: the requests with what was decided on each, and what is stored otherwise than when the
 * test began. For people; empty where nothing came.
 */
export async function reportOf(server: ReferenceServer): Promise<string> {
  const requests = server.history();
  if (requests.length === 0) return '';
  const changes = await server.changes();
  const told = requests.slice(-MOST_REQUESTS);
  const left = requests.length - told.length;
  return [
    `Requests that reached the server of this test${left > 0 ? `, the last ${told.length} of ${requests.length}` : ''}:`,
    ...told.flatMap(requestLines),
    changes.length === 0 ? 'Nothing is stored otherwise than when it began.' : 'Stored otherwise than when it began:',
    ...changes.slice(0, MOST_CHANGES).flatMap(changeLines),
    ...(changes.length > MOST_CHANGES ? [`  and ${changes.length - MOST_CHANGES} more`] : []),
  ].join('\n');
}

function requestLines(request: RecordedRequest): string[] {
  const { number, user, method, path, status, open } = request;
  const ending = status === undefined ? 'not answered' : open ? `${status}, open` : String(status);
  const refused = status !== undefined && status >= 400;
  return [
    `  ${number}. ${user || 'nobody'}: ${method} ${path} → ${ending}`,
    ...request.decisions.filter((decision) => matters(decision, refused)).flatMap(decisionLines),
    ...(refused ? [`       answered: ${shortened(messageOf(request.responseBody))}`] : []),
  ];
}

/** Who somebody is and that they may is told where it is why the request was refused. */
function matters({ stage, outcome, by }: ToldDecision, refused: boolean): boolean {
  if (stage === 'authentication') return outcome === 'refused';
  if (stage === 'authorization') return refused && (outcome === 'forbidden' || by !== 'chain') && outcome !== 'allow';
  return true;
}

function decisionLines({ stage, by, outcome, because, details }: ToldDecision): string[] {
  return [`       ${stage}, ${by}: ${outcome}, as ${because}`, ...fieldLines(details)];
}

/** What became of each field in a merge. */
function fieldLines(details: unknown): string[] {
  const { merge } = (details ?? {}) as { readonly merge?: { readonly fields?: unknown } };
  if (!Array.isArray(merge?.fields)) return [];
  return (merge.fields as { field?: unknown; outcome?: unknown; managers?: readonly unknown[] }[])
    .slice(0, MOST_FIELDS)
    .map(({ field, outcome, managers = [] }) => {
      const whose = managers.length > 0 ? `, of ${managers.join(', ')}` : '';
      return `         ${String(field)}: ${String(outcome)}${whose}`;
    });
}

function changeLines({ change, key, fields }: StateChange): string[] {
  return [
    `  ${change} ${key}`,
    ...fields
      .slice(0, MOST_FIELDS)
      .map(({ path, before, after }) => `       ${path}: ${value(before)} → ${value(after)}`),
    ...(fields.length > MOST_FIELDS ? [`       and ${fields.length - MOST_FIELDS} more fields`] : []),
  ];
}

const value = (json: unknown): string => (json === undefined ? 'absent' : shortened(JSON.stringify(json)));

function shortened(text: string): string {
  const line = text.replaceAll('\n', ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

function messageOf(body: string): string {
  try {
    const { message } = JSON.parse(body) as { readonly message?: unknown };
    return typeof message === 'string' ? message : body;
  } catch {
    return body;
  }
}

/** Puts a report behind the message of an error, or of what a runner keeps of one, where every runner shows it. */
export function addReport(error: unknown, report: string): void {
  const kept = error as { message?: unknown; stack?: unknown } | null | undefined;
  if (report === '' || typeof kept !== 'object' || typeof kept?.message !== 'string') return;
  const { message, stack } = kept;
  const longer = `${message}\n\n${report}\n`;
  kept.message = longer;
  // The stack begins with the message as it was.
  if (typeof stack === 'string') kept.stack = stack.replace(message, () => longer);
}

import { writeFileSync } from 'node:fs';
import { load } from 'js-yaml';
import type { Expectation } from '../fixtures/expectations/expectation.ts';
import { expectationsDocument } from '../fixtures/expectations/service.ts';
import { isClauseName, isRequirementId } from '../fixtures/ledger/index.ts';
import { goesBy } from '../reports/checkId.ts';
import { isRecord } from '../suites/harness/json.ts';
import { readNamedFile, reasonOf } from './files.ts';
import type { ListedCheck } from './listChecks.ts';
import { suggestion } from './nearest.ts';
import { UsageError } from './usageError.ts';

const MEMBERS = ['id', 'kind', 'assertion', 'reason', 'link', 'expires'];
const KINDS = ['known-failure', 'flaky', 'unsupported'];

/** Reads an expectations file: YAML, a list of entries. Throws UsageError that names the entry and the fault. */
export function readExpectations(path: string): Expectation[] {
  const source = readNamedFile(path, 'expectations file');
  let value: unknown;
  try {
    value = load(source) ?? [];
  } catch (error) {
    const first = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw new UsageError(`The expectations file ${path} is not YAML: ${first}.`);
  }
  if (!Array.isArray(value)) throw new UsageError(`The expectations file ${path} must be a list of entries.`);
  return value.map((entry: unknown, index) => {
    const fault = faultOf(entry);
    if (fault) throw new UsageError(`Entry ${index + 1} of the expectations file ${path} ${fault}.`);
    return entry as Expectation;
  });
}

/** The ids of entries that mean no requirement, no clause of one, and none of the checks that there are. */
export function unknownIds(entries: readonly Expectation[], checks: readonly ListedCheck[]): string[] {
  return entries
    .map(({ id }) => id)
    .filter((id) => !isRequirementId(id) && !isClauseName(id) && !checks.some((check) => goesBy(check, id)));
}

function faultOf(entry: unknown): string | undefined {
  if (!isRecord(entry)) return 'is not a mapping';
  for (const [member, value] of Object.entries(entry)) {
    if (!MEMBERS.includes(member))
      return `has an unknown member ${member}.${suggestion(member, MEMBERS)}`.replace(/\.$/, '');
    if (typeof value !== 'string') return `has a ${member} that is no text (put dates in quotes)`;
  }
  for (const member of ['id', 'kind', 'reason']) if (!entry[member]) return `has no ${member}`;
  if (!KINDS.includes(String(entry.kind))) return `has the kind ${entry.kind}; there are ${KINDS.join(', ')}`;
  if (entry.expires !== undefined && !isDay(String(entry.expires)))
    return 'has an expires that is no day as 2026-03-31';
  return undefined;
}
function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
}

/** Writes entries back. Throws UsageError when the file cannot be written. */
export function writeExpectations(path: string, entries: readonly Expectation[]): void {
  try {
    writeFileSync(path, entries.length === 0 ? '[]\n' : expectationsDocument(entries));
  } catch (error) {
    throw new UsageError(`The expectations file ${path} cannot be written: ${reasonOf(error)}.`);
  }
}

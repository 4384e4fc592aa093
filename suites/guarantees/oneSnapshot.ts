import { selectionOf } from '../../history/scope.ts';
import { isRecord } from '../harness/json.ts';
import { changesOf, keyOf, type ObservedChange } from './changes.ts';
import { Findings, type Guarantee } from './guarantee.ts';
import { type History, listOf, type Operation } from './history.ts';

export const oneSnapshot: Guarantee = {
  name: 'one-snapshot',
  sentence: 'All chunks of a list show one state, that of the first chunk, each object once.',
  examine: (history) => {
    const findings = new Findings();
    const changes = changesOf(history);
    const wipes = history.operations.filter(mayWipe);
    for (const chain of chainsIn(history)) examineChain(chain, changes, wipes, findings);
    return findings.done();
  },
};

/** The pages of one list, in order. */
interface Chain {
  readonly pages: readonly Operation[];
  /** Whether the last page was the last there is. */
  readonly complete: boolean;
}

/** Every way in which clients followed tokens, each from a first page. */
function chainsIn({ operations }: History): Chain[] {
  const pages = operations.filter((operation) => listOf(operation) !== undefined);
  const after = (token: string) => pages.filter(({ query }) => query.get('continue') === token);
  const extend = (chain: readonly Operation[]): Chain[] => {
    const last = chain.at(-1);
    const token = (last && listOf(last)?.metadata.continue) ?? '';
    if (token === '') return [{ pages: chain, complete: true }];
    // A token that leads to itself would go on for ever.
    const next = after(token).filter((page) => !chain.includes(page));
    return next.length === 0 ? [{ pages: chain, complete: false }] : next.flatMap((page) => extend([...chain, page]));
  };
  const first = pages.filter(({ query }) => !query.has('continue'));
  return first.flatMap((page) => extend([page])).filter((chain) => chain.pages.length > 1 || chain.complete);
}

function examineChain(
  { pages, complete }: Chain,
  changes: readonly ObservedChange[],
  wipes: readonly Operation[],
  findings: Findings,
): void {
  const [first] = pages;
  if (!first?.scope) return;
  const numbers = pages.map(({ number }) => number);
  const lists = pages.flatMap((page) => listOf(page) ?? []);
  const versions = new Set(lists.map(({ metadata }) => metadata.resourceVersion));
  findings.case(versions.size === 1, () => `the chunks carry the versions ${[...versions].join(', ')}`, numbers);
  // What is made for the answer and never stored has no uid, and is told apart by nothing.
  const items = lists.flatMap(({ items: own }) => own).filter(({ metadata }) => metadata?.uid !== undefined);
  const seen = new Map<string, string>();
  for (const { metadata } of items) {
    const { uid = '', resourceVersion = '', name } = metadata;
    findings.case(!seen.has(uid), () => `${name} is in two places`, numbers);
    seen.set(uid, resourceVersion);
  }
  const shown = new Set([...seen].map(([uid, version]) => keyOf(uid, version)));
  const selection = selectionOf(first.scope, first.query);
  const wiped = wipes.some(({ start }) => start < first.end);
  for (const change of changes.filter(({ scope }) => scope.type === first.scope?.type)) {
    const key = keyOf(change.uid, change.version);
    const because = [...numbers, change.number];
    if (change.start > first.end)
      findings.case(!shown.has(key), () => `${key} was written after the first chunk`, because);
    // From here on: what the first chunk must have seen, where it was to show the most recent state.
    if (change.end >= first.start || first.query.has('resourceVersion')) continue;
    if (change.version === undefined) {
      findings.case(
        !seen.has(change.uid),
        () => `${change.scope.name} is there, though it was removed before`,
        because,
      );
    } else if (
      complete &&
      change.created &&
      !wiped &&
      change.object &&
      untouched(change, changes) &&
      selection.selects(change.object.metadata)
    ) {
      findings.case(seen.has(change.uid), () => `${change.object?.metadata.name} is missing`, because);
    }
  }
}

/** Whether nobody wrote the object but who created it. */
function untouched(change: ObservedChange, changes: readonly ObservedChange[]): boolean {
  return changes.every((other) => other === change || other.uid !== change.uid);
}
/** A delete of a whole collection or namespace, or one whose answer names no uid, may remove anything. */
function mayWipe({ method, scope, answer }: Operation): boolean {
  if (method !== 'DELETE') return false;
  const details = isRecord(answer) ? answer.details : undefined;
  const plain = isRecord(details) && typeof details.uid === 'string';
  return scope === undefined || scope.name === '' || scope.type === 'v1/namespaces' || !plain;
}

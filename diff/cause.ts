import { ledger, type RequirementId } from '../fixtures/ledger/index.ts';
import type { SeenDifference } from '../suites/sequences/compare.ts';
import { decidedBy } from '../suites/sequences/deciding.ts';
import type { Played } from '../suites/sequences/play.ts';
import { type Step, wordsOf } from '../suites/sequences/step.ts';

/** One thing in which two servers differ, in the fewest requests that show it. */
export interface Finding {
  readonly area: string;
  readonly steps: readonly Step[];
  readonly difference: SeenDifference;
  /** What was sent to each, and what each made of it, in the last replay. */
  readonly first: Played;
  readonly second: Played;
}

/** Findings that are alike. */
export interface Cause {
  /** The same for the same cause in every run: what an ignore file names. */
  readonly name: string;
  /** One sentence that says what differs. */
  readonly sentence: string;
  /** The requirement that decides; undefined where the text leaves it open. */
  readonly requirement: RequirementId | undefined;
  /** Keys of the statements behind it. */
  readonly statements: readonly string[];
  /** The one with the fewest requests. */
  readonly shown: Finding;
  /** How many differences were of this cause. */
  readonly count: number;
}

/** What a difference is called: what was asked, and what differs and how. */
export function nameOf(steps: readonly Step[], difference: SeenDifference): string {
  const step = steps[difference.step];
  if (!step) throw new Error('a difference without its step');
  const { path, first, second, what } = difference;
  const values = path === 'status' ? `${first} or ${second}` : '';
  return [askedIn(step), what === 'answer' ? '' : what, general(path), values].filter((part) => part !== '').join(', ');
}

/** Verb, resource and parameters of a request: `apply configmaps ?dryRun`. */
function askedIn({ method, path, headers, open }: Step): string {
  const [place = '', query = ''] = path.split('?');
  const kind = /(json-patch|merge-patch|strategic|apply)/.exec(headers?.['content-type'] ?? '')?.[1];
  const verb = open ? 'watch' : method === 'PATCH' && kind ? kind.replace('-patch', ' patch') : method.toLowerCase();
  const names =
    query === ''
      ? []
      : [...new Set(query.split('&').map((part) => part.split('=')[0] as string))].filter(
          (name) => name !== 'fieldManager' && name !== 'watch',
        );
  const accept = headers?.accept ? [`accept ${headers.accept.split(';')[0]}`] : [];
  return [verb, resourceIn(place), ...names.map((name) => `?${name}`), ...accept].join(' ');
}

/** `deployments/scale`; of other versions than v1 with the group and the version that was asked. */
function resourceIn(path: string): string {
  const match =
    /^\/(?:api|apis\/([^/]+))\/([^/]+)(?:\/namespaces\/[^/]+(?=\/[^/]+))?\/([^/]+)(?:\/[^/]+(\/[^/]+)?)?$/.exec(path);
  if (!match) return path;
  const [, group = '', version = '', plural = '', subresource = ''] = match;
  return `${plural}${subresource}${version === 'v1' ? '' : ` of ${group}/${version}`}`;
}

/** A path into a body without places in lists. */
const general = (path: string): string =>
  path.replaceAll(/\.\d+(?=\.|$)/g, '[]').replaceAll(/f:[^.]+|k:\{.*?\}|v:[^.]+/g, '*');

/** Groups findings by cause; the most surely decided and most frequent first. */
export function causesOf(findings: readonly Finding[], names: readonly [string, string]): Cause[] {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const name = nameOf(finding.steps, finding.difference);
    groups.set(name, [...(groups.get(name) ?? []), finding]);
  }
  const causes = [...groups].map(([name, group]): Cause => {
    const shown = group.reduce((best, each) => (each.steps.length < best.steps.length ? each : best));
    const { difference, steps } = shown;
    const requirement = decidedBy({ step: steps[difference.step] as Step, difference });
    const statements = requirement ? ledger[requirement].from : [];
    return { name, sentence: sentenceOf(shown, names), requirement, statements, shown, count: group.length };
  });
  return causes.sort(
    (a, b) => Number(b.requirement !== undefined) - Number(a.requirement !== undefined) || b.count - a.count,
  );
}

const LOOKED = {
  answer: 'answers',
  object: 'then stores',
  collection: 'then holds',
  events: 'tells the watch',
} as const;

function sentenceOf({ steps, difference }: Finding, [first, second]: readonly [string, string]): string {
  const { step, what, path } = difference;
  const where = path === 'status' ? '' : ` ${path} =`;
  const doing = `After ${wordsOf(steps[step] as Step)}`;
  return `${doing}, ${first} ${LOOKED[what]}${where} ${brief(difference.first)}, ${second}${where} ${brief(difference.second)}`;
}

/** A value in few words. */
export function brief(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > 90 ? `${text.slice(0, 87)}…` : text;
}

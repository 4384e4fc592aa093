import { isRecord } from '../harness/json.ts';
import type { Question } from './question.ts';
import { describeBinding, type GrantingRule, type Reading } from './reading.ts';

/** What a server answered to an access review. */
export interface ReviewAnswer {
  readonly allowed: boolean;
  readonly denied: boolean;
  /** May be empty. */
  readonly reason: string;
  /** May be empty. */
  readonly error: string;
}
/** All that was found out. */
export interface AccessExplanation {
  readonly question: Question;
  readonly verdict: ReviewAnswer;
  /** A text tells why the roles could not be read. */
  readonly reading: Reading | string;
  /** What the server says of how it decided; undefined where it does not tell. */
  readonly trace: readonly unknown[] | undefined;
}

const MOST_MISSES = 8;

/** The findings for a terminal, one line each. */
export function tellAccess(findings: AccessExplanation): string[] {
  const { question, verdict } = findings;
  const lines = [
    `${question.user} can${verdict.allowed ? '' : 'not'} ${tellQuestion(question)}`,
    row('groups', question.groups.join(', ')),
    row('server', tellVerdict(verdict)),
    ...tellReading(findings),
  ];
  const steps = traceSteps(findings);
  if (steps.length > 0) lines.push('', 'How the server decided', ...steps.map((step) => `  ${step}`));
  return lines;
}

const row = (name: string, text: string): string => `  ${name.padEnd(9)}${text}`;

/** `get pods/log of the core group in namespace team`. */
export function tellQuestion({ verb, about }: Question): string {
  if ('path' in about) return `${verb} ${about.path}`;
  const { group, resource, subresource, name, namespace } = about;
  const what = `${resource}${group ? `.${group}` : ''}${subresource ? `/${subresource}` : ''}`;
  const which = name ? ` ${JSON.stringify(name)}` : '';
  return `${verb} ${what}${which}${namespace ? ` in namespace ${namespace}` : ' in all namespaces'}`;
}

function tellVerdict({ allowed, denied, reason, error }: ReviewAnswer): string {
  const said = allowed ? 'allowed' : denied ? 'denied' : 'nobody allows it';
  return [said, reason, error && `error: ${error}`].filter((part) => part !== '').join('; ');
}

function tellReading({ question, verdict, reading }: AccessExplanation): string[] {
  if (typeof reading === 'string') return [row('roles', reading)];
  const [way] = reading.ways;
  if (way) {
    const lines = reading.ways.flatMap((one, index) => tellWay(one, index === 0 ? 'roles' : 'and'));
    return verdict.allowed
      ? lines
      : [...lines, row('but', 'the server says no: something in front of its roles denies it')];
  }
  if (verdict.allowed) {
    const masters = question.groups.includes('system:masters');
    const by = masters ? 'members of system:masters may do everything' : 'another authorizer of the server says yes';
    return [row('roles', `no role allows it; ${by}`)];
  }
  const shown = reading.misses.slice(0, MOST_MISSES);
  const left = reading.misses.length - shown.length;
  return [
    row('roles', 'no role that is bound to the user allows it'),
    ...shown.flatMap(({ what, but }) => [row('near', what), row('', `but ${but}`)]),
    ...(left > 0 ? [row('', `and ${left} more`)] : []),
  ];
}

function tellWay({ binding, subject, role, index, rule }: GrantingRule, title: string): string[] {
  const parts = Object.entries(rule)
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => `${name} ${JSON.stringify(values)}`);
  return [
    row(title, `${describeBinding(binding)} gives ${role.kind} ${role.name} to ${subject.kind} ${subject.name}`),
    row('', `rule ${index + 1}: ${parts.join(', ')}`),
  ];
}

/** The steps of the server that were about the user in question, not about who asked us to ask. */
function traceSteps({ question, trace }: AccessExplanation): string[] {
  return (trace ?? []).flatMap((step) => {
    if (!isRecord(step) || step.stage !== 'authorization' || !isRecord(step.details)) return [];
    const { asked } = step.details;
    if (!isRecord(asked) || asked.username !== question.user || asked.verb !== question.verb) return [];
    return [`${String(step.by).padEnd(12)}${String(step.outcome).padEnd(11)}${String(step.because)}`];
  });
}

import type { KeptSequence } from '../suites/sequences/keptSequence.ts';
import type { Step, Who } from '../suites/sequences/step.ts';
import type { Scenario, ScenarioStep, StepRequest } from './scenario.ts';
import { ScenarioFault } from './scenario.ts';

const FORMAT = 'touchstone.sequence/1';

/** What a sequence calls names by, as a story calls them. */
const WORDS: Readonly<Record<string, string>> = {
  id: 'kept',
  ns: 'kept-a',
  ns2: 'kept-b',
  domain: '{api_domain}',
  vendor: '{vendor}',
  label: '{label_domain}',
  system: '{system_namespace}',
  public: '{public_namespace}',
};

/** Whether the text of a file is a sequence that `shorten` or `diff` kept. */
export function isSequence(text: string): boolean {
  try {
    return (JSON.parse(text) as { format?: unknown } | null)?.format === FORMAT;
  } catch {
    return false;
  }
}

/** A kept sequence as a story that is played to a reference. @throws ScenarioFault where it is none, or a faulty one */
export function storyOfSequence(name: string, text: string): Scenario {
  const { about, steps } = JSON.parse(text) as KeptSequence;
  if (!Array.isArray(steps) || steps.length === 0 || !steps.every(isStep)) {
    throw new ScenarioFault(`${name}: steps: the requests of a sequence are expected`);
  }
  return {
    name,
    title: typeof about === 'string' && about !== '' ? about : name,
    about:
      'The requests of a kept sequence, put to the reference: it shows what a server that keeps the rules makes of them.',
    statements: [],
    question: undefined,
    flags: [],
    webhooks: [],
    steps: [...['ns', 'ns2'].map((word) => givenNamespace(WORDS[word] ?? '')), ...steps.map(storyStep)],
  };
}

function isStep(value: unknown): value is Step {
  const { as, method, path } = (value ?? {}) as Partial<Step>;
  return as !== undefined && typeof method === 'string' && typeof path === 'string' && path.startsWith('/');
}

function givenNamespace(name: string): ScenarioStep {
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, null, 2);
  const request = { who: 'admin', method: 'POST', path: '/api/v1/namespaces', type: 'application/json' };
  return stepOf(`the namespace ${name} is made`, { ...request, body, headers: {} });
}

function storyStep(step: Step): ScenarioStep {
  const { headers = {}, form } = step;
  const body = step.text ?? (step.body === undefined ? '' : JSON.stringify(step.body, null, 2));
  const { who, as } = whoOf(step.as);
  const type = headers['content-type'] ?? (body === '' ? '' : 'application/json');
  const others = Object.entries(headers).filter(([header]) => header !== 'content-type');
  const told = Object.fromEntries(
    Object.entries({ ...as, ...Object.fromEntries(others) }).map(([h, v]) => [h, words(v)]),
  );
  const request = {
    who,
    method: step.method,
    path: words(step.path),
    type: words(type),
    body: words(body),
    headers: told,
  };
  const written = form === undefined ? '' : `In the sequence the body is written as ${form}; here it is JSON.`;
  return { ...stepOf(`${step.method} ${request.path}`, request), id: step.keep, look: written };
}

function stepOf(title: string, request: StepRequest): ScenarioStep {
  return { id: undefined, title, look: '', wait: 0, request, expect: undefined, holds: {}, told: undefined };
}

/** Who of a story sends a request, and by which headers they act as another. */
function whoOf(as: Who): { readonly who: string; readonly as: Readonly<Record<string, string>> } {
  if (typeof as === 'string') return { who: as, as: {} };
  if ('token' in as) return { who: 'nobody', as: { authorization: `Bearer ${as.token}` } };
  const { user, groups = [], uid, extra = {} } = as;
  const extras = Object.entries(extra).map(([key, values]) => [
    `impersonate-extra-${encodeURIComponent(key)}`,
    values.join('\n'),
  ]);
  return {
    who: 'admin',
    as: {
      'impersonate-user': user,
      ...(groups.length === 0 ? {} : { 'impersonate-group': groups.join('\n') }),
      ...(uid === undefined ? {} : { 'impersonate-uid': uid }),
      ...Object.fromEntries(extras),
    },
  };
}

/** A text with the names and references of a sequence as a story has them. */
function words(text: string): string {
  return text
    .replace(/\{(id|ns|ns2|domain|vendor|label|system|public)\}/g, (whole, name: string) => WORDS[name] ?? whole)
    .replace(/<<([\w-]+)((?:\.[^.<>]+)+)>>/g, (_, name: string, path: string) => `\${${name}${path}}`);
}

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Scenario, ScenarioStep, StepRequest } from '../scenario.ts';

/** A recording of requests to a server, of the folder that GOLDEN_DIR names; see tools/golden.mjs. */
interface Recording {
  readonly id: string;
  readonly title: string;
  /** Webhooks that were scripted. */
  readonly hooks?: object;
  readonly vars?: Readonly<Record<string, string>>;
  readonly steps: readonly RecordedStep[];
}
interface RecordedStep {
  readonly as?: string;
  /** Milliseconds that were waited. */
  readonly sleep?: number;
  /** The step was repeated until something held. */
  readonly until?: readonly unknown[];
  /** Variables by the places in the answer that they were taken from. */
  readonly capture?: Readonly<Record<string, string>>;
  readonly request?: {
    readonly method?: string;
    readonly path: string;
    /** One that was sent several times has a list. */
    readonly headers?: Readonly<Record<string, string | readonly string[]>>;
    readonly json?: unknown;
    readonly text?: string;
    readonly base64?: string;
  };
}

/** Headers by which the admin acts as the others who were recorded. */
const ACTING: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  admin: {},
  alice: { 'impersonate-user': 'alice', 'impersonate-group': 'devs' },
  bob: { 'impersonate-user': 'bob' },
};
/** Milliseconds that pass where a recording waited for something. */
const PATIENCE = 3000;

/**
 * The recordings below a folder as scenarios, but for those of servers that were started with flags, with webhooks, with
 * client certificates, or with bodies that are no text.
 */
export function recordingsIn(folder: string): readonly Scenario[] {
  const areas = readdirSync(folder).filter((name) => name !== 'launch' && statSync(join(folder, name)).isDirectory());
  return areas.flatMap((area) =>
    readdirSync(join(folder, area)).flatMap((file) => {
      const recording = JSON.parse(readFileSync(join(folder, area, file), 'utf8')) as Recording;
      const steps = recording.hooks ? undefined : stepsOf(recording);
      const { id, title } = recording;
      const none = { about: title, statements: [], question: undefined, webhooks: [] };
      return steps ? [{ name: `${area}/${id}`, title, ...none, flags: ['--follow=service'], steps }] : [];
    }),
  );
}

/** Undefined where a step cannot be put to a server in a tab. */
function stepsOf({ vars = {}, steps }: Recording): ScenarioStep[] | undefined {
  const known = new Map(Object.entries({ run: 'r1', ...vars }));
  const made: ScenarioStep[] = [];
  for (const [index, step] of steps.entries()) {
    const request = step.request && requestOf(step, known);
    if (step.request && !request) return undefined;
    const wait = step.sleep ?? (step.until ? PATIENCE : 0);
    const none = { title: `step ${index}`, look: '', expect: undefined, holds: {}, told: undefined };
    made.push({ ...none, id: `s${index}`, wait, request });
    for (const [name, path] of Object.entries(step.capture ?? {})) known.set(name, `\${s${index}.${path}}`);
  }
  return made;
}

function requestOf(
  { as = 'admin', request }: RecordedStep,
  known: ReadonlyMap<string, string>,
): StepRequest | undefined {
  const acting = ACTING[as];
  if (!request || request.base64 !== undefined || (acting === undefined && as !== 'anonymous')) return undefined;
  const filled = (text: string) => text.replace(/\$\{(\w+)\}/g, (whole, name: string) => known.get(name) ?? whole);
  const headers = Object.entries({ ...acting, ...request.headers }).map(([name, value]) => [
    name.toLowerCase(),
    filled([value].flat().join('\n')),
  ]);
  const { 'content-type': type, ...others } = Object.fromEntries(headers) as Record<string, string>;
  const { method = 'GET', path, json, text } = request;
  const body = json === undefined ? (text ?? '') : JSON.stringify(json);
  const usual = json === undefined ? '' : 'application/json';
  const who = acting ? 'admin' : 'nobody';
  return { who, method, path: filled(path), type: type ?? usual, body: filled(body), headers: others };
}

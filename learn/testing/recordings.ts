import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Scenario, ScenarioStep, StepRequest, StoryWebhook } from '../scenario.ts';

/** A recording of requests to a server, of the folder that GOLDEN_DIR names; see tools/golden.mjs. */
interface Recording {
  readonly id: string;
  readonly title: string;
  /** Webhooks that were scripted, by their names. */
  readonly hooks?: Readonly<Record<string, RecordedHook>>;
  readonly vars?: Readonly<Record<string, string>>;
  readonly steps: readonly RecordedStep[];
}
interface RecordedHook {
  readonly httpStatus?: number;
  /** What it answers in place of a review. */
  readonly raw?: string;
  readonly apiVersion?: string;
  readonly kind?: string;
  /** Further members of its response. */
  readonly [member: string]: unknown;
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

/** Headers by which the admin acts as the others who were recorded; a tab sees no certificate, but who it is for. */
const ACTING: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  admin: {},
  admincert: { 'impersonate-user': 'admin', 'impersonate-group': 'system:masters' },
  alicecert: { 'impersonate-user': 'alice', 'impersonate-group': 'devs' },
  node1: { 'impersonate-user': 'system:node:node1', 'impersonate-group': 'system:nodes' },
  alice: { 'impersonate-user': 'alice', 'impersonate-group': 'devs' },
  bob: { 'impersonate-user': 'bob' },
};
/** Milliseconds that pass where a recording waited for something. */
const PATIENCE = 3000;

/**
 * The recordings below a folder as scenarios, but for those of servers that were started with flags, and with bodies that are
 * no text.
 */
export function recordingsIn(folder: string): readonly Scenario[] {
  const areas = readdirSync(folder).filter((name) => name !== 'launch' && statSync(join(folder, name)).isDirectory());
  return areas.flatMap((area) =>
    readdirSync(join(folder, area)).flatMap((file) => {
      const recording = JSON.parse(readFileSync(join(folder, area, file), 'utf8')) as Recording;
      const steps = stepsOf(recording);
      const { id, title, hooks = {} } = recording;
      const webhooks = Object.entries(hooks).map(([name, hook]) => webhookOf(name, hook));
      const none = { about: title, statements: [], question: undefined };
      return steps ? [{ name: `${area}/${id}`, title, ...none, webhooks, flags: ['--follow=service'], steps }] : [];
    }),
  );
}

/** Each webhook has a host of its own in place of a path at one. */
const hostOf = (hook: string): string => `${hook.toLowerCase()}.hooks.example.com`;

function webhookOf(name: string, { httpStatus, raw, apiVersion, kind, ...response }: RecordedHook): StoryWebhook {
  const review = { ...(apiVersion ? { apiVersion } : {}), ...(kind ? { kind } : {}) };
  const answers = { review, response, ...(raw === undefined ? {} : { text: raw }) };
  return { host: hostOf(name), refuses: undefined, because: undefined, patch: undefined, fails: httpStatus, answers };
}

/** A text with the hosts of webhooks, which need no CA in a tab. */
const withHosts = (text: string): string =>
  text
    .replace(/\$\{hook_url\}\/(\w+)/g, (_, name: string) => `https://${hostOf(name)}/`)
    .replace(/,"caBundle":"\$\{hook_ca\}"|"caBundle":"\$\{hook_ca\}",/g, '');

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
  const filled = (text: string) =>
    withHosts(text).replace(/\$\{(\w+)\}/g, (whole, name: string) => known.get(name) ?? whole);
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

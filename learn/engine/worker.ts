// The engine of a tab: the reference in a worker, asked by messages.
import type { Mutant } from '../../mutants/mutant.ts';
import { readOptions } from '../../reference/options/loadOptions.ts';
import { createReference, type Reference } from '../../reference/reference.ts';
import { inProcessRequest } from '../../reference/transport/inProcess.ts';
import { play } from '../play.ts';
import { readScenario, type Scenario } from '../scenario.ts';
import { isSequence, storyOfSequence } from '../storyOfSequence.ts';
import type { Asked, Said, TabRequest } from './messages.ts';
import { createParts, type Parts, partsNeeded, partsOfStory } from './parts.ts';

/** Of the global scope of a worker, what is used here. */
interface WorkerScope {
  touchstoneParts?: Parts;
  postMessage(said: Said): void;
  importScripts(url: string): void;
  addEventListener(type: 'message', listener: (event: { readonly data: Asked }) => void): void;
}

const scope = globalThis as typeof globalThis & WorkerScope;
const parts = createParts((part) => scope.postMessage({ kind: 'needs', part }));
scope.touchstoneParts = parts;

let server: Reference | undefined;
const streams = new Map<number, { stop(): void }>();
/** Plays and requests are answered one after the other, as stories share the hosts of webhooks. */
let last: Promise<void> = Promise.resolve();

scope.addEventListener('message', ({ data }) => {
  if (data.kind === 'part') {
    // An address of its own: those of a page on a disk are of nobody, and open to nobody.
    scope.importScripts(URL.createObjectURL(new Blob([data.text], { type: 'text/javascript' })));
    parts.arrived(data.part);
  } else if (data.kind === 'cancel') {
    streams.get(data.id)?.stop();
    streams.delete(data.id);
  } else last = last.then(() => answered(data));
});

type Question = Exclude<Asked, { kind: 'part' | 'cancel' }>;

async function answered(asked: Question): Promise<void> {
  const { id } = asked;
  try {
    scope.postMessage(await answer(asked));
  } catch (error) {
    scope.postMessage({ kind: 'fault', id, sentence: error instanceof Error ? error.message : String(error) });
  }
}

async function answer(asked: Question): Promise<Said> {
  const { id } = asked;
  switch (asked.kind) {
    case 'play': {
      await parts.loaded(partsOfStory(asked.scenario));
      const mutant = asked.mutant === undefined ? undefined : await mutantOf(asked.mutant);
      const policy = asked.scenario.steps.some(({ history }) => history !== undefined) ? await thePolicy() : undefined;
      return { kind: 'played', id, played: await play(asked.scenario, { dialect: asked.dialect, mutant, policy }) };
    }
    case 'read':
      return { kind: 'scenario', id, scenario: readStory(asked.name, asked.text) };
    case 'open':
      server = await opened(asked.flags, asked.tokens);
      return { kind: 'done', id };
    case 'advance':
      begun().advance(asked.milliseconds);
      return { kind: 'done', id };
    case 'handle':
      return handled(id, asked.request);
  }
}

async function mutantOf(id: string): Promise<Mutant> {
  await parts.loaded(['mutants']);
  const { mutantNamed } = parts.use('mutants', 'learn/mutants.ts') as typeof import('../mutants.ts');
  const found = mutantNamed(id);
  if (!found) throw new Error(`there is no mutant ${id}`);
  return found;
}

async function thePolicy() {
  await parts.loaded(['policy']);
  return (parts.use('policy', 'learn/policy.ts') as typeof import('../policy.ts')).judged;
}

/** A story of a file of stories, or of requests that were kept to be played again. */
const readStory = (name: string, text: string): Scenario =>
  isSequence(text) ? storyOfSequence(name, text) : readScenario(name, text);

async function opened(flags: readonly string[], tokens: string): Promise<Reference> {
  await server?.close();
  const loaded = readOptions(flags, { read: () => tokens });
  if ('errors' in loaded) throw new Error(loaded.errors.join(' '));
  return createReference(loaded.options);
}

function begun(): Reference {
  if (!server) throw new Error('no server has been opened');
  return server;
}

async function handled(id: number, request: TabRequest): Promise<Said> {
  const { body, ...head } = request;
  await parts.loaded(partsNeeded(JSON.stringify(head) + Buffer.from(body).toString('latin1')));
  const reply = await begun().handler(inProcessRequest(request));
  const { code } = reply;
  const headers = Object.fromEntries(
    Object.entries(reply.headers).map(([name, value]) => [
      name,
      typeof value === 'object' ? [...value] : String(value),
    ]),
  );
  if (reply.kind === 'whole') return { kind: 'answer', id, code, headers, body: Uint8Array.from(reply.body) };
  // After the answer itself: a stream may begin to tell at once.
  void Promise.resolve().then(() => {
    streams.set(
      id,
      reply.start({
        pending: 0,
        whenReady: undefined,
        write(frame) {
          scope.postMessage({ kind: 'frame', id, bytes: Uint8Array.from(frame) });
          return true;
        },
        end() {
          streams.delete(id);
          scope.postMessage({ kind: 'end', id });
        },
      }),
    );
  });
  return { kind: 'answer', id, code, headers, body: undefined };
}

scope.postMessage({ kind: 'ready' });

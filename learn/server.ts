import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type StatementKey, statementFacts } from '../fixtures/ledger/index.ts';
import { play } from './play.ts';
import type { PlayedRequest } from './played.ts';
import { ACTORS, type Scenario } from './scenario.ts';

export interface LearnOptions {
  readonly scenarios: readonly Scenario[];
  /** `kubernetes` or `cluster`. */
  readonly dialect: string;
  /** Folder of page.html, page.css and page.mjs. */
  readonly page: string;
  /** 0: a free one. */
  readonly port: number;
}
export interface LearnServer {
  readonly base: string;
  close(): Promise<void>;
}

/** Largest body of a request, in bytes: the edits of one scenario. */
const LARGEST = 1024 * 1024;

/**
 * Serves the page on loopback: `GET /` is the page, `GET /scenarios` what there is to learn, and `POST /play` with
 * `{scenario, edits}` plays one and answers what happened.
 *
 * @throws Error with code EADDRINUSE or EACCES when the port cannot be had
 */
export async function serveLearn(options: LearnOptions): Promise<LearnServer> {
  const page = pageOf(options.page);
  const library = JSON.stringify(
    options.scenarios.map(({ name, title, about, statements }) => ({
      name,
      title,
      about,
      statements: statements.map((key) => statementFacts(key as StatementKey)),
    })),
  );
  const answers: Readonly<
    Record<string, (request: IncomingMessage, response: ServerResponse) => void | Promise<void>>
  > = {
    'GET /': (_, response) => send(response, 200, 'text/html; charset=utf-8', page.html, page.headers),
    'GET /scenarios': (_, response) => send(response, 200, 'application/json', library),
    'POST /play': async (request, response) => {
      const asked = readAsked(await bodyOf(request), options.scenarios);
      const played = await play(asked.scenario, { dialect: options.dialect, edits: asked.edits });
      send(response, 200, 'application/json', JSON.stringify(played));
    },
  };
  const server = http.createServer(async (request, response) => {
    try {
      checkCaller(request);
      const answer = answers[`${request.method} ${(request.url ?? '/').split('?')[0]}`];
      if (!answer) throw new Refusal(404, 'There is nothing here.');
      await answer(request, response);
    } catch (error) {
      const code = error instanceof Refusal ? error.code : 500;
      const text = error instanceof Refusal ? error.message : 'The scenario could not be played.';
      send(response, code, 'text/plain; charset=utf-8', text);
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', () => resolve());
  });
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

class Refusal extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Other sites that are open in the same browser must not reach this server, by its address or by a name of theirs. */
function checkCaller({ headers, method }: IncomingMessage): void {
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(headers.host ?? '')) {
    throw new Refusal(421, 'This server answers on loopback only.');
  }
  if (headers.origin !== undefined && headers.origin !== `http://${headers.host}`) {
    throw new Refusal(403, 'Another site asks.');
  }
  if (method === 'POST' && headers['content-type'] !== 'application/json') throw new Refusal(415, 'JSON is expected.');
}

function send(
  response: ServerResponse,
  code: number,
  type: string,
  body: string,
  more: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(code, {
    'content-type': type,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...more,
  });
  response.end(body);
}

/** One file that loads nothing from anywhere: its style and script are part of it, and nothing else may run. */
function pageOf(folder: string): { readonly html: string; readonly headers: Readonly<Record<string, string>> } {
  const part = (name: string) => readFileSync(join(folder, name), 'utf8');
  const script = part('page.mjs');
  const hash = createHash('sha256').update(script).digest('base64');
  const policy = `default-src 'none'; connect-src 'self'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  // Functions, so that a dollar sign in either stays what it is.
  const html = part('page.html')
    .replace('/* style */', () => part('page.css'))
    .replace('/* script */', () => script);
  return { html, headers: { 'content-security-policy': policy } };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > LARGEST) throw new Refusal(413, 'That is too much.');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

interface Asked {
  readonly scenario: Scenario;
  readonly edits: Readonly<Record<number, PlayedRequest>>;
}

function readAsked(text: string, scenarios: readonly Scenario[]): Asked {
  let value: { scenario?: unknown; edits?: unknown };
  try {
    value = JSON.parse(text) as typeof value;
  } catch {
    throw new Refusal(400, 'That is no JSON.');
  }
  const scenario = scenarios.find(({ name }) => name === value?.scenario);
  if (!scenario) throw new Refusal(404, 'There is no such scenario.');
  const edits: Record<number, PlayedRequest> = {};
  for (const [place, edit] of Object.entries(value.edits ?? {})) {
    const index = Number(place);
    if (scenario.steps[index]?.request) edits[index] = readEdit(edit);
  }
  return { scenario, edits };
}

function readEdit(value: unknown): PlayedRequest {
  const fields = (value ?? {}) as Readonly<Record<string, unknown>>;
  const text = (name: string): string => {
    const field = fields[name];
    if (typeof field !== 'string') throw new Refusal(400, `${name} is missing.`);
    return field;
  };
  const edit = { who: text('who'), method: text('method'), path: text('path'), type: text('type'), body: text('body') };
  if (!(ACTORS as readonly string[]).includes(edit.who)) throw new Refusal(400, 'Nobody here is called so.');
  if (!/^[A-Z]{1,10}$/.test(edit.method)) throw new Refusal(400, 'That is no method.');
  if (!/^\/[\x21-\x7e]*$/.test(edit.path)) throw new Refusal(400, 'A path begins with a slash and holds no spaces.');
  try {
    decodeURIComponent(edit.path);
  } catch {
    throw new Refusal(400, 'The escapes of the path are broken.');
  }
  if (!/^[\x20-\x7e]*$/.test(edit.type)) throw new Refusal(400, 'That is no media type.');
  return edit;
}

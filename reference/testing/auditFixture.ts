import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '../api/json.ts';
import type { Reply } from '../contracts/reply.ts';
import { readOptions } from '../options/loadOptions.ts';
import { FileFault } from '../ports/files.ts';
import { createReference, type ReferenceExtras } from '../reference.ts';
import { type InProcessRequest, inProcessRequest } from '../transport/inProcess.ts';

const TOKENS = 'admin-token,admin,admin-uid,system:masters\nalice-token,alice,alice-uid,devs\n';

/** An event as it stands in the log, as far as tests look at it. */
export interface LoggedEvent {
  readonly level: string;
  readonly stage: string;
  readonly requestURI: string;
  readonly verb: string;
  readonly stageTimestamp: string;
  readonly user: { readonly username?: string };
  readonly impersonatedUser?: object;
  readonly authenticationMetadata?: object;
  readonly objectRef?: { readonly name?: string };
  readonly requestObject?: JsonObject;
  readonly responseObject?: JsonObject;
  readonly responseStatus?: { readonly status?: string; readonly code?: number };
  readonly annotations?: Readonly<Record<string, string>>;
}

/** For tests: a reference on a virtual clock that logs to a file, and what is in the log. */
export async function auditFixture(
  rules: readonly object[],
  flags: readonly string[] = [],
  extras: ReferenceExtras = {},
) {
  const directory = mkdtempSync(join(tmpdir(), 'audit-'));
  const log = join(directory, 'logs', 'audit.log');
  const policy = JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules });
  const named: Readonly<Record<string, string>> = { policy, tokens: TOKENS };
  const loaded = readOptions(
    [
      '--seed=1',
      '--clock=virtual',
      '--token-auth-file=tokens',
      '--audit-policy-file=policy',
      `--audit-log-path=${log}`,
      ...flags,
    ],
    {
      read(path) {
        const text = named[path];
        if (text === undefined) throw new FileFault(`${path}: there is no such file`);
        return text;
      },
    },
  );
  if ('errors' in loaded) throw new Error(loaded.errors.join('\n'));
  const reference = await createReference(loaded.options, extras);
  return {
    reference,
    directory,
    /** Asks as the owner of a token; `admin` unless told. */
    ask({ token = 'admin-token', ...request }: InProcessRequest & { readonly token?: string }): Promise<Reply> {
      const headers: Record<string, string> = { ...request.headers };
      if (token !== '') headers.authorization = `Bearer ${token}`;
      if (request.body !== undefined) headers['content-type'] ??= 'application/json';
      return reference.handler(inProcessRequest({ ...request, headers }));
    },
    text: () => readFileSync(log, 'utf8'),
    events(): LoggedEvent[] {
      const lines = readFileSync(log, 'utf8').split('\n').slice(0, -1);
      return lines.map((line) => JSON.parse(line) as LoggedEvent);
    },
    async close() {
      await reference.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

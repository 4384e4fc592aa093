import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import { readAbacPolicy } from './abacPolicy.ts';
import type { Findings } from './collect.ts';
import type { Files } from './files.ts';
import type { FlagName, FlagValues } from './flagTable.ts';
import { nearest } from './nearest.ts';
import type { AuthorizerOptions } from './serverOptions.ts';

const PLAIN = ['AlwaysAllow', 'AlwaysDeny', 'RBAC', 'Node'] as const;
const MODES: readonly string[] = [...PLAIN, 'ABAC'];

/**
 * The authorizers that `--authorization-mode` lists, in its order (2/authorization/p4).
 *
 * @returns undefined when something is wrong; the findings say what
 */
export function readAuthorizationModes(
  flags: FlagValues,
  given: ReadonlySet<FlagName>,
  dialect: Dialect,
  files: Files,
  found: Findings,
): AuthorizerOptions[] | undefined {
  const modes = flags['authorization-mode'];
  const before = found.errors.length;
  if (modes.length === 0) found.error('--authorization-mode: at least one mode is needed');
  for (const mode of new Set(modes)) {
    if (!MODES.includes(mode)) {
      const close = MODES.find((known) => known.toLowerCase() === mode.toLowerCase()) ?? nearest(mode, MODES);
      found.error(`--authorization-mode: there is no mode ${mode}${close ? `; did you mean ${close}?` : ''}`);
    }
    if (modes.filter((other) => other === mode).length > 1)
      found.error(`--authorization-mode: ${mode} stands there twice`);
  }
  const path = flags['authorization-policy-file'];
  const abac = modes.includes('ABAC');
  if (abac && path === '') found.error('--authorization-mode: ABAC needs --authorization-policy-file');
  if (!abac && given.has('authorization-policy-file')) {
    found.error('--authorization-policy-file is of use only with mode ABAC');
  }
  const policy =
    abac && path !== ''
      ? found.of('authorization-policy-file', () => readAbacPolicy(files.read(path), dialect))
      : undefined;
  found.notes.push(...(policy?.notes ?? []).map((note) => `--authorization-policy-file: ${note}`));
  if (found.errors.length > before) return undefined;
  return modes.map((mode): AuthorizerOptions => {
    if (mode === 'ABAC') return { type: 'ABAC', name: 'abac', policy: policy?.policies ?? [] };
    const type = PLAIN.find((plain) => plain === mode) as (typeof PLAIN)[number];
    return { type, name: mode.toLowerCase() };
  });
}

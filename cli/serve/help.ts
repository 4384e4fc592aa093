import { flagHelp } from '../flags.ts';
import { SERVE_FLAGS, SERVE_GROUPS } from './serveTable.ts';

/** The help of `touchstone serve`: its own options, then the server's flags. */
export function serveHelp(): string {
  return [
    'touchstone serve [flags]',
    '',
    'Runs the reference server until Ctrl-C, and writes a kubeconfig for it. Flags of the real server that mean',
    'nothing here are accepted and named in one line.',
    '',
    flagHelp(SERVE_FLAGS, SERVE_GROUPS),
  ].join('\n');
}

import { flagHelp } from '../../flags.ts';
import { CHECK_FLAGS, PLOT_FLAGS, UPGRADE_FLAGS } from './flags.ts';

/** What stands below the usage of `lifecycle`. A file, a folder where one is taken, or - for standard input. */
export const LIFECYCLE_HELP = [
  'touchstone lifecycle check FILE',
  'Hold a release history in YAML or JSON against the deprecation policy; docs/lifecycle.md tells the form.',
  flagHelp(CHECK_FLAGS),
  '',
  'touchstone lifecycle plot FILE',
  'Draw which release serves which version, as SVG.',
  flagHelp(PLOT_FLAGS),
  '',
  'touchstone lifecycle upgrade --from RELEASE --to RELEASE MANIFESTS…',
  'Tell which objects of files and folders an upgrade serves no more, and what to change in them.',
  flagHelp(UPGRADE_FLAGS),
  '',
  'Exit codes: 0 all is well, 1 a rule is broken or something is not served, 64 wrong usage or an unreadable file.',
].join('\n');

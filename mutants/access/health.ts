import { onReplies } from '../alter.ts';
import { coding } from '../asking.ts';
import type { Mutant } from '../mutant.ts';
import { onChain, unopinionated } from '../onAuthorizers.ts';

/** Health is told on other lines than those that are meant. */
const onLines = (change: (lines: string[], path: string) => string[]) =>
  onReplies((reply, { path }) => {
    if (!/^\/(healthz|livez|readyz)/.test(path)) return reply;
    const lines = Buffer.from(reply.body).toString('utf8').split('\n');
    return { ...reply, body: Buffer.from(change(lines, path).join('\n')) };
  });

/** Health endpoints that say something else than how the server is. */
export const HEALTH: readonly Mutant[] = [
  {
    id: 'healthz-is-gone',
    breaks: ['HEALTH-PATH-01'],
    sentence: 'The deprecated /healthz is not found.',
    defect: () => coding(({ code }, { path }) => (path === '/healthz' ? 404 : code)),
  },
  {
    id: 'readyz-is-always-ready',
    breaks: ['HEALTH-PATH-02', 'HEALTH-SHUTDOWN-01'],
    sentence: 'A server that is about to end says that it is ready.',
    defect: () => coding(({ code }, { path }) => (path === '/readyz' && code >= 500 ? 200 : code)),
  },
  {
    id: 'shutdown-delay-is-not-kept',
    breaks: ['HEALTH-SHUTDOWN-01'],
    sentence: 'A server that is told to end does so at once.',
    defect: () => ({
      start: { options: (options) => ({ ...options, health: { ...options.health, shutdownDelay: 0 } }) },
    }),
  },
  {
    id: 'grace-period-is-not-understood',
    breaks: ['HEALTH-GRACE-01'],
    sentence: 'A server refuses the time that it is given to start.',
    defect: () => ({
      start: {
        flags: (argv) => argv.map((flag) => (flag.startsWith('--livez-grace-period=') ? `${flag}x` : flag)),
      },
    }),
  },
  {
    id: 'single-checks-are-not-found',
    breaks: ['HEALTH-CHECK-01'],
    sentence: 'Checks cannot be asked one by one.',
    defect: () => coding(({ code }, { path }) => (/^\/(livez|readyz)\/./.test(path) ? 404 : code)),
  },
  {
    id: 'verbose-without-an-end',
    breaks: (['healthz', 'livez', 'readyz'] as const).map((name) => `HEALTH-VERBOSE-01/last-line/${name}` as const),
    sentence: 'The last line of the verbose answer is missing.',
    defect: () => onLines((lines) => lines.filter((line) => !line.endsWith('check passed'))),
  },
  {
    id: 'verbose-with-a-mark-of-its-own',
    breaks: ['HEALTH-VERBOSE-01/lines'],
    sentence: 'Lines of the verbose answer begin with [ok].',
    defect: () => onLines((lines) => lines.map((line) => line.replace('[+]', '[ok]'))),
  },
  {
    id: 'only-one-exclude-counts',
    breaks: ['HEALTH-EXCLUDE-01'],
    sentence: 'Of several exclude parameters only the first counts.',
    defect: () =>
      onLines((lines) => {
        const first = lines.findIndex((line) => line.includes(' excluded: '));
        return lines.map((line, at) =>
          at > first && line.includes(' excluded: ') ? line.replace(' excluded:', '') : line,
        );
      }),
  },
  {
    id: 'exclude-needs-verbose',
    breaks: ['HEALTH-EXCLUDE-01/alone'],
    sentence: 'Without verbose no check is skipped.',
    defect: () =>
      coding(({ code }, { path, query }) =>
        path === '/readyz' && query.all('exclude').includes('shutdown') && !query.has('verbose') ? 500 : code,
      ),
  },
  {
    id: 'names-with-a-slash-are-not-excluded',
    breaks: (['healthz', 'livez', 'readyz'] as const).map((name) => `HEALTH-EXCLUDE-01/every-name/${name}` as const),
    sentence: 'A check whose name has a slash is not skipped.',
    defect: () => onLines((lines) => lines.map((line) => line.replace(/(\/\S+) excluded:/, '$1'))),
  },
  {
    id: 'readiness-without-shutdown',
    breaks: ['HEALTH-CHECKS-01'],
    sentence: 'There is no check of the shutdown.',
    defect: () => onLines((lines) => lines.filter((line) => !line.startsWith('[+]shutdown '))),
  },
  {
    id: 'health-is-for-the-authenticated',
    breaks: ['HEALTH-ACCESS-01'],
    sentence: 'Who shows no credentials may not ask about health.',
    defect: () =>
      onChain(async (asked, ask) =>
        !asked.isResource && asked.user.groups.includes('system:unauthenticated') ? unopinionated('rbac') : ask(asked),
      ),
  },
];

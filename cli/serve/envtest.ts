import { get } from 'node:http';

/** How the stand-in for etcd says in its health that it keeps nothing; see cli/envtestEtcd.mjs. */
const KEEPS = 'keeps';
const NAME = '--etcd-servers';

/**
 * A command line of envtest without the etcd, where that is the stand-in: then objects are kept in memory. A real etcd
 * is used as asked.
 */
export async function withoutStandIn(argv: readonly string[]): Promise<string[]> {
  const at = argv.findIndex((word) => word === NAME || word.startsWith(`${NAME}=`));
  const servers = argv[at]?.startsWith(`${NAME}=`) ? argv[at].slice(NAME.length + 1) : argv[at + 1];
  const [first = ''] = at < 0 ? [] : (servers ?? '').split(',');
  if (!first.startsWith('http://') || !(await isStandIn(first))) return [...argv];
  return argv.filter((_, index) => index !== at && !(argv[at] === NAME && index === at + 1));
}

function isStandIn(server: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(new URL('/health', server), (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      answer.on('end', () => resolve(text.includes(`"${KEEPS}":"nothing"`)));
    });
    request.setTimeout(2_000, () => request.destroy());
    request.on('error', () => resolve(false));
  });
}

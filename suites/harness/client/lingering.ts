import type { ExchangeRecorded } from '../../../reports/events.ts';
import type { Unbound } from '../../../reports/evidenceRecord.ts';
import { type Evidence, waitingTime } from '../evidence.ts';
import { NAME_PREFIX } from '../space.ts';
import type { Client } from './client.ts';
import type { Exchange } from './exchange.ts';

type Asked = Unbound<ExchangeRecorded>;

/** Milliseconds that a target has to follow that rights are gone, before the next check begins whatever it does. */
const PATIENCE = 2_000;

/** What every authenticated user may ask, with or without a grant. */
const EVERYBODYS = /^\/(api(\/v1)?|apis(\/[^/]+){0,2}|version|healthz|livez|readyz|openapi\/.*)\/?$/;
const OWN_REVIEW = /\/selfsubject[a-z]+$/;
const REFUSED = [401, 403];

/**
 * Waits until what the stranger was allowed in the whole cluster is refused again, now that the check has removed what
 * allowed it. There is one stranger for all checks, and a right target may follow a moment later: to the next check it
 * would seem to allow what nobody has granted. Nothing is judged here.
 *
 * @param stranger as whom the questions are put again
 * @param evidence of the check that is over
 */
export async function untilRefusedAgain(stranger: Client, evidence: Evidence): Promise<void> {
  const { exchanges } = evidence.sent();
  if (!exchanges.some(grantsEverywhere)) return;
  const questions = new Map(
    exchanges
      .filter((asked) => asked.actor === stranger.actor && wasAllowed(asked) && mayLinger(asked))
      .map((asked) => [question(asked), asked]),
  );
  const deadline = performance.now() + waitingTime(PATIENCE, PATIENCE);
  await evidence.during('cleanup', async () => {
    for (const asked of questions.values()) {
      for (let pause = 10; performance.now() < deadline; pause = Math.min(100, pause * 2)) {
        const { status, received } = await again(stranger, asked);
        if (!received || REFUSED.includes(status)) break;
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  });
}

function grantsEverywhere({ request: { method, path }, response }: Asked): boolean {
  return method !== 'GET' && /\/clusterrolebindings\b/.test(path) && response !== undefined && response.status < 300;
}

function wasAllowed({ response }: Asked): boolean {
  return response !== undefined && ![...REFUSED, 429].includes(response.status) && response.status < 500;
}

/** Whether another check may ask the same: not of what has a name of this check, nor what needs no right at all. */
function mayLinger({ request: { method, path, headers } }: Asked): boolean {
  const [plain = ''] = path.split('?');
  if (path.includes(`${NAME_PREFIX}-`) || method === 'DELETE' || EVERYBODYS.test(plain)) return false;
  return !OWN_REVIEW.test(plain) || Object.keys(headers).some(isImpersonation);
}

const isImpersonation = (header: string) => header.toLowerCase().startsWith('impersonate-');
const impersonating = (headers: Asked['request']['headers']) =>
  Object.fromEntries(Object.entries(headers).filter(([header]) => isImpersonation(header)));

function question({ request: { method, path, headers } }: Asked): string {
  return JSON.stringify([method, path, impersonating(headers)]);
}

/** Asks again, so that nothing comes of it: whether somebody may write is decided before the body is read. */
function again(stranger: Client, { words, request: { method, path, headers } }: Asked): Promise<Exchange> {
  const [plain = '', query = ''] = path.split('?');
  const asked = new URLSearchParams(query);
  const reads = method === 'GET' || method === 'HEAD';
  if (!reads) asked.set('dryRun', 'All');
  if (asked.has('watch')) asked.set('timeoutSeconds', '1');
  const type = headers['content-type'];
  return stranger.send(`${words}, which nothing allows any more`, method, `${plain}?${asked}`, {
    headers: { ...impersonating(headers), ...(type === undefined ? {} : { 'content-type': type }) },
    ...(reads ? {} : { body: '{}' }),
  });
}

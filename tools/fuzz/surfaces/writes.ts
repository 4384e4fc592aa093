import type { JsonObject } from '../../../reference/api/json.ts';
import { candidate, comparable, differences, NAME, versionOf } from '../objects.ts';
import { FuzzServer, type Heard, type Sending, textOf } from '../server.ts';
import { bent, type Draw, pick, rarely } from '../values.ts';
import { inForms } from './forms.ts';
import { onFork, type Surface } from './surface.ts';

const PATCHES = {
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  json: 'application/json-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

/** Objects of every type: written, read and patched. */
export const writes: Surface = {
  name: 'writes',
  about: 'objects of every type: a dry run says what the real run does, what GET shows can be PUT without a change',
  start: () => FuzzServer.start(['--feature-gates=CBORServingAndStorage=true']),
  async run(draw, base) {
    const { stored, object, item } = candidate(draw, base);
    const created = await rehearsed(base, { method: 'POST', target: stored.collection, body: object });
    if (created === undefined) return;
    const server = created.server;
    try {
      if (created.heard.code !== 201) return;
      const answered = server.json(created.heard);
      const named = (answered.metadata as JsonObject | undefined)?.name;
      const path = named === NAME ? item : `${stored.collection}/${encodeURIComponent(String(named))}`;
      if (!(await inForms(server, stored, path))) return;
      await patched(draw, server, path, object, stored.type.custom);
      await rehearse(server, { method: 'DELETE', target: path });
    } finally {
      await server.close();
    }
  },
};

/** A patch of each kind, derived from the object: rehearsed, and done again where that changes nothing more. */
async function patched(draw: Draw, server: FuzzServer, path: string, object: JsonObject, custom: boolean) {
  const kind = pick(draw, ['merge', 'strategic', 'json', 'apply'] as const);
  if (kind === 'strategic' && custom) return;
  const headers = { 'content-type': PATCHES[kind] };
  const changed = bent(draw, object) as JsonObject;
  const body =
    kind === 'json'
      ? Object.entries(changed)
          .filter(([key]) => key !== 'apiVersion' && key !== 'kind')
          .map(([key, value]) => ({
            op: 'add',
            path: `/${key.replace(/~/g, '~0').replace(/\//g, '~1')}`,
            value: value ?? null,
          }))
      : changed;
  const subresource = rarely(draw, 4) ? '/status' : '';
  const query = kind === 'apply' ? '?fieldManager=fuzz&force=true' : '';
  const patch = { method: 'PATCH', target: `${path}${subresource}${query}`, headers, body };
  const first = await rehearse(server, patch);
  if (first.code !== 200) return;
  await unchangedBy(server, path, {
    method: 'PUT',
    target: path,
    body: server.json(await server.send({ method: 'GET', target: path })),
  });
  if (kind === 'merge' || kind === 'apply') await unchangedBy(server, path, patch);
}

/** A write that must leave what is stored as it is. */
async function unchangedBy(server: FuzzServer, path: string, sending: Sending): Promise<void> {
  const before = await server.send({ method: 'GET', target: path });
  if (before.code !== 200) return;
  const again = await server.send(sending);
  if (again.code === 405) return;
  if (again.code !== 200) {
    throw server.finding(`the same once more is refused with ${again.code}: ${textOf(again.body).slice(0, 400)}`);
  }
  const [old, now] = [server.json(before), server.json(await server.send({ method: 'GET', target: path }))];
  if (versionOf(old) === versionOf(now)) return;
  throw server.finding(`the same once more changes the object: ${differences(old, now).join('; ').slice(0, 800)}`);
}

/** Puts a write to a fork as a dry run first; both must be answered alike, and the fork must hold what it held. */
async function rehearse(server: FuzzServer, sending: Sending): Promise<Heard> {
  const { dry, stored } = await onFork(server, async (fork) => {
    const before = await fork.send({ method: 'GET', target: pathOf(sending) });
    const dry = await fork.send({ ...sending, target: withDryRun(sending.target) });
    const after = await fork.send({ method: 'GET', target: pathOf(sending) });
    return { dry, stored: textOf(before.body) === textOf(after.body) };
  });
  if (!stored) throw server.finding('a dry run changed what is stored');
  const real = await server.send(sending);
  sameAnswer(server, dry, real);
  return real;
}

/** The same on a fork of its own, which goes on with what was done. */
async function rehearsed(base: FuzzServer, sending: Sending) {
  const server = await base.fork();
  try {
    return { server, heard: await rehearse(server, sending) };
  } catch (error) {
    await server.close();
    throw error;
  }
}

const pathOf = ({ target }: Sending): string => target.split('?')[0] as string;
const withDryRun = (target: string): string => `${target}${target.includes('?') ? '&' : '?'}dryRun=All`;

function sameAnswer(server: FuzzServer, dry: Heard, real: Heard): void {
  if (dry.code !== real.code) {
    throw server.finding(
      `the dry run answers ${dry.code}, the real run ${real.code}: ${textOf(dry.body).slice(0, 300)} and ${textOf(real.body).slice(0, 300)}`,
    );
  }
  const apart = differences(comparable(server.json(dry)), comparable(server.json(real)));
  if (apart.length > 0) throw server.finding(`dry run and real run differ at ${apart.join('; ').slice(0, 800)}`);
}

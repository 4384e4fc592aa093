import type { JsonObject } from '../../../reference/api/json.ts';
import { FuzzServer } from '../server.ts';
import { type Draw, encoded, odd, pick, rarely, upTo } from '../values.ts';
import { onFork, type Surface } from './surface.ts';

const TOKENS = [
  'a',
  'b',
  'app',
  'x.example/y',
  '=',
  '==',
  '!=',
  '!',
  ' in ',
  ' notin ',
  '(',
  ')',
  ',',
  ' ',
  '<',
  '>',
  '1',
  '\\',
  'metadata.name',
  'metadata.namespace',
  'status.phase',
  'spec.nodeName',
];
const LABELS = [
  '',
  'a',
  '!a',
  'a=1',
  'a!=1',
  'a in (1,2)',
  'a notin (1)',
  'a,b',
  'a>1',
  'b',
  'x.example/y=z',
  'a=',
  'a==2',
];
const FIELDS = [
  '',
  'metadata.name=a',
  'metadata.name!=a',
  'metadata.namespace=default',
  'metadata.name=a,metadata.name=b',
];
const COLLECTION = '/api/v1/namespaces/default/configmaps';
const OBJECTS: readonly JsonObject[] = [{}, { a: '1' }, { a: '2', b: '' }, { b: '3', 'x.example/y': 'z' }, { a: '' }];

/** Selectors by labels and fields. */
export const selectors: Surface = {
  name: 'selectors',
  about: 'label and field selectors: a list, the same list in chunks and a watch from the start name the same objects',
  async start() {
    const server = await FuzzServer.start();
    for (const [at, labels] of OBJECTS.entries()) {
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'abcde'[at] as string, labels } };
      await server.send({ method: 'POST', target: COLLECTION, body });
    }
    return server;
  },
  run: (draw, base) =>
    onFork(base, async (server) => {
      const query = `labelSelector=${selector(draw, LABELS)}&fieldSelector=${selector(draw, FIELDS)}`;
      const list = await server.send({ method: 'GET', target: `${COLLECTION}?${query}` });
      if (list.code !== 200) {
        const watch = await server.send({ method: 'GET', target: `${COLLECTION}?watch=true&${query}` });
        if (watch.code !== list.code) throw server.finding(`a list answers ${list.code}, a watch ${watch.code}`);
        return;
      }
      const names = namesIn(server.json(list));
      const chunked = await chunks(server, query);
      if (chunked !== names) throw server.finding(`a list has ${names}, chunks have ${chunked}`);
      const events = await server.send({
        method: 'GET',
        target: `${COLLECTION}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&${query}`,
      });
      const told = events.body.length === 0 ? [] : Buffer.from(events.body).toString().trim().split('\n');
      const added = told
        .map((line) => JSON.parse(line) as { type: string; object: JsonObject })
        .filter(({ type }) => type === 'ADDED')
        .map(({ object }) => (object.metadata as JsonObject).name)
        .join();
      if (events.code === 200 && added !== names) throw server.finding(`a list has ${names}, a watch tells ${added}`);
      const counted = await server.send({ method: 'DELETE', target: `${COLLECTION}?${query}` });
      if (counted.code === 200 && namesIn(server.json(counted)) !== names) {
        throw server.finding(`a list has ${names}, and ${namesIn(server.json(counted))} are deleted`);
      }
    }),
};

function selector(draw: Draw, good: readonly string[]): string {
  if (!rarely(draw, 2)) return encodeURIComponent(pick(draw, good));
  let text = '';
  for (let left = upTo(draw, 8); left > 0; left--) text += rarely(draw, 12) ? draw(odd) : pick(draw, TOKENS);
  return encoded(text);
}

async function chunks(server: FuzzServer, query: string): Promise<string> {
  const names: string[] = [];
  let token = '';
  do {
    const next = `${COLLECTION}?limit=1&${query}${token && `&continue=${encodeURIComponent(token)}`}`;
    const chunk = server.json(await server.send({ method: 'GET', target: next }));
    names.push(...namesIn(chunk).split(',').filter(Boolean));
    token = String((chunk.metadata as JsonObject | undefined)?.continue ?? '');
  } while (token !== '' && names.length < 100);
  return names.join();
}

const namesIn = (list: JsonObject): string =>
  ((list.items ?? []) as JsonObject[]).map(({ metadata }) => (metadata as JsonObject).name).join();

import { CHANGES, FIELD_WRITES } from '../../../fixtures/ledger/index.ts';
import { atRelease, check, clause, clausesOf, match, must, named, objectIn } from '../../harness/index.ts';
import { nameBy, putBack, send } from './everyWrite.ts';
import { endpointSlices } from './kinds.ts';

const endpoint = { addresses: ['192.0.2.1'] };
const other = { addresses: ['192.0.2.2'] };

check(
  'CHANGED-ENDPOINTSLICE-01.1',
  'the author creates an EndpointSlice with node and zone of an endpoint → both read back',
  ['CHANGED-ENDPOINTSLICE-01'],
  async ({ author }) => {
    const placed = { ...endpoint, nodeName: 'node-a', zone: 'zone-a' };
    const created = await author.create(endpointSlices, { ...named('a'), endpoints: [placed] });
    must('they are taken', created, match.created, match.field('endpoints.0', match.including(placed)));
    const moved = { ...placed, nodeName: 'node-b', zone: 'zone-b' };
    const { metadata } = objectIn(created);
    const update = { ...named('a'), metadata, addressType: 'IPv4', endpoints: [moved] };
    must('others are', await author.update(endpointSlices, update), match.status(200));
    must('and stored', await author.get(endpointSlices, 'a'), match.field('endpoints.0', match.including(moved)));
  },
);

for (const field of ['topology', 'deprecatedTopology']) {
  check(
    `CHANGED-ENDPOINTSLICE-01.2/${field}`,
    `the author creates an EndpointSlice with ${field} → refused, or left out`,
    ['CHANGED-ENDPOINTSLICE-01'],
    async ({ author }) => {
      const written = { ...endpoint, [field]: { 'touchstone.example/zone': 'a' } };
      const created = await author.create(endpointSlices, { ...named('a'), endpoints: [written] });
      // The text says that it is not writable, and not whether a writer is told.
      const leftOut = match.both(match.created, match.field(`endpoints.0.${field}`, match.absent));
      must('it is not writable', created, match.either(match.refusal, leftOut));
    },
  );
}

for (const [row, field] of [
  ['topology', 'topology'],
  ['deprecated-topology', 'deprecatedTopology'],
] as const) {
  check(
    `CHANGED-ENDPOINTSLICE-03.1/${row}`,
    `the author writes ${field} of an endpoint in every way → refused, or left out`,
    clausesOf('CHANGED-ENDPOINTSLICE-03', row),
    async ({ author, dialect: { labelDomain } }) => {
      await author.given(endpointSlices, { ...named('doc'), endpoints: [endpoint] });
      const places = { [`topology.${labelDomain}/zone`]: 'a', [`${labelDomain}/hostname`]: 'a' };
      const written = { ...endpoint, [field]: { 'touchstone.example/rack': 'a', ...places } };
      // What is left out becomes no other field either.
      const without = (place: number) =>
        [field, 'zone', 'nodeName'].map((name) => match.field(`endpoints.${place}.${name}`, match.absent));
      for (const write of FIELD_WRITES) {
        await clause(`CHANGED-ENDPOINTSLICE-03/${row}/${write}`, async () => {
          for (const [place, endpoints] of [[written], [other, written]].entries()) {
            const content = { addressType: 'IPv4', endpoints };
            const answer = await send(author, endpointSlices, write, content);
            const leftOut = match.both(match.success, ...without(place));
            must('it is not writable', answer, match.either(match.refusal, leftOut));
            const seen = await author.get(endpointSlices, nameBy(write));
            const not = match.either(match.status(404), match.both(...without(place)));
            must('nor is it stored', seen, not);
            if (nameBy(write) !== 'doc' && seen.succeeded) await author.delete(endpointSlices, nameBy(write));
          }
        });
      }
    },
  );
}

check(
  'CHANGED-ENDPOINTSLICE-02.1',
  'the author writes topology in EndpointSlice v1beta1 and a zone in v1 → each reads in the other version under its name',
  clausesOf('CHANGED-ENDPOINTSLICE-02'),
  { setup: atRelease('1.24') },
  async ({ author, dialect }) => {
    const old = { ...endpointSlices, version: 'v1beta1', specified: true };
    const zone = `topology.${dialect.labelDomain}/zone`;
    const topology = { [zone]: 'zone-a', 'touchstone.example/rack': 'rack-1' };
    const endpoints = [endpoint, other].map((each) => ({ ...each, topology }));
    await author.given(old, { ...named('old'), endpoints });
    const seen = await author.get(endpointSlices, 'old');
    await clause('CHANGED-ENDPOINTSLICE-02/zone', async () => {
      for (const place of [0, 1])
        must('the zone has a field', seen, match.status(200), match.field(`endpoints.${place}.zone`, 'zone-a'));
    });
    await clause('CHANGED-ENDPOINTSLICE-02/rest', async () => {
      const rest = { 'touchstone.example/rack': 'rack-1' };
      for (const place of [0, 1]) {
        must(
          'the rest is deprecated',
          seen,
          match.field(`endpoints.${place}.deprecatedTopology`, match.including(rest)),
        );
        must('v1 has no topology', seen, match.field(`endpoints.${place}.topology`, match.absent));
      }
    });
    await clause('CHANGED-ENDPOINTSLICE-02/back', async () => {
      const asItWas = await author.get(old, 'old');
      for (const place of [0, 1])
        must('v1beta1 is as it was', asItWas, match.field(`endpoints.${place}.topology`, topology));
      await author.given(endpointSlices, { ...named('new'), endpoints: [{ ...endpoint, zone: 'zone-b' }] });
      const back = match.field('endpoints.0.topology', match.including({ [zone]: 'zone-b' }));
      must('v1beta1 has the zone of v1', await author.get(old, 'new'), match.status(200), back);
    });
    for (const write of CHANGES) {
      await clause(`CHANGED-ENDPOINTSLICE-02/kept/${write}`, async () => {
        const labels = { ...objectIn(await author.get(endpointSlices, 'old')).metadata.labels, write };
        const answer =
          write === 'put'
            ? await putBack(author, endpointSlices, 'old', ({ metadata, ...rest }) => ({
                ...rest,
                metadata: { ...metadata, labels },
              }))
            : write === 'apply'
              ? await author.apply(endpointSlices, { metadata: { name: 'old', labels } }, { force: true })
              : write === 'json'
                ? await author.patch(endpointSlices, 'old', write, [
                    { op: 'add', path: '/metadata/labels', value: labels },
                  ])
                : await author.patch(endpointSlices, 'old', write, { metadata: { labels } });
        must('v1 takes it', answer, match.status(200), match.field('metadata.labels.write', write));
        const now = await author.get(old, 'old');
        for (const place of [0, 1])
          must('the topology is there', now, match.field(`endpoints.${place}.topology`, topology));
      });
    }
  },
);

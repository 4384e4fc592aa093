import { check, match, must, named } from '../../harness/index.ts';
import { endpointSlices } from './kinds.ts';

const endpoint = { addresses: ['192.0.2.1'] };

check(
  'the author creates an EndpointSlice with node and zone of an endpoint → both read back',
  ['CHANGED-ENDPOINTSLICE-01'],
  async ({ author }) => {
    const placed = { ...endpoint, nodeName: 'node-a', zone: 'zone-a' };
    const created = await author.create(endpointSlices, { ...named('a'), endpoints: [placed] });
    must('they are taken', created, match.status(201), match.field('endpoints.0', match.including(placed)));
  },
);

for (const field of ['topology', 'deprecatedTopology']) {
  check(
    `the author creates an EndpointSlice with ${field} → refused, or left out`,
    ['CHANGED-ENDPOINTSLICE-01'],
    async ({ author }) => {
      const written = { ...endpoint, [field]: { 'touchstone.example/zone': 'a' } };
      const created = await author.create(endpointSlices, { ...named('a'), endpoints: [written] });
      // The text says that it is not writable, and not whether a writer is told.
      const leftOut = match.both(match.status(201), match.field(`endpoints.0.${field}`, match.absent));
      must('it is not writable', created, match.either(match.refusal, leftOut));
    },
  );
}

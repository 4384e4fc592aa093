import { check, match, must, named } from '../../harness/index.ts';
import { ingresses } from './kinds.ts';

const service = (port: object) => ({ service: { name: 'web', port } });
const path = (pathType?: string) => ({ path: '/a', pathType, backend: service({ number: 80 }) });
const withPaths = (...paths: object[]) => ({ rules: [{ host: 'a.touchstone.example', http: { paths } }] });

check(
  'CHANGED-INGRESS-01.1',
  'the author creates an Ingress with backends by number and by name → it reads as it was given',
  ['CHANGED-INGRESS-01'],
  async ({ author }) => {
    const paths = ['Prefix', 'Exact', 'ImplementationSpecific'].map((pathType, place) => ({
      path: `/${place}`,
      pathType,
      backend: service(place === 0 ? { number: 8080 } : { name: 'http' }),
    }));
    const spec = { defaultBackend: service({ number: 80 }), ...withPaths(...paths) };
    const stream = await author.watch(ingresses, { fieldSelector: 'metadata.name=a' });
    const created = await author.create(ingresses, { ...named('a'), spec });
    must('all of it is taken', created, match.created, match.field('spec.defaultBackend', spec.defaultBackend));
    must('every path too', await author.get(ingresses, 'a'), match.field('spec.rules', spec.rules));
    const list = await author.list(ingresses, { fieldSelector: 'metadata.name=a' });
    must('so it is listed', list, match.field('items.0.spec', match.including(spec)));
    const event = must('and told', await stream.until(match.event('ADDED', 'a')));
    must('in full', event, match.at('object.spec', match.including(spec)));
  },
);

for (const [what, spec] of [
  ['a path without pathType', withPaths(path())],
  ['an entry without path and pathType', withPaths({ ...path(), path: undefined })],
  ['a path of an unknown type', withPaths(path('Regex'))],
  ['a backend with the names of older versions', { backend: { serviceName: 'web', servicePort: 80 } }],
] as const) {
  check(
    `CHANGED-INGRESS-01.2/${what}`,
    `the author creates an Ingress with ${what} → refused`,
    ['CHANGED-INGRESS-01'],
    async ({ author }) => {
      const created = await author.create(ingresses, { ...named('a'), spec }, { fieldValidation: 'Strict' });
      must('v1 does not take it', created, match.refusal);
    },
  );
}

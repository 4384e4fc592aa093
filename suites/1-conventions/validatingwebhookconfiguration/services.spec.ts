import {
  admissionWebhook,
  check,
  configMaps,
  match,
  must,
  named,
  SERVICE,
  type SetupOf,
  webhookConfigurations,
} from '../../harness/index.ts';
import { fill, install, told } from './installed.ts';

/** The service of the harness is at its default port and at another one, which is where the webhook listens. */
const resolving: SetupOf = async (services) => {
  const { host } = new URL((await services.get(admissionWebhook)).hook().url);
  const { namespace, name } = SERVICE;
  return {
    flags: ['--webhook-service-resolver={services.json}'],
    files: { 'services.json': { [`${namespace}/${name}:443`]: host, [`${namespace}/${name}:8443`]: host } },
  };
};

for (const port of [undefined, 443, 8443]) {
  check(
    `WEBHOOK-SERVICE-01.1/${port === undefined ? 'no port' : `port ${port}`}`,
    `a webhook names a service and ${port === undefined ? 'no port' : `port ${port}`} → it is called there, at its path`,
    ['WEBHOOK-SERVICE-01'],
    { setup: resolving },
    async ({ admin, author, services }) => {
      const server = await services.get(admissionWebhook);
      const hook = server.hook();
      const service = { ...SERVICE, path: new URL(hook.url).pathname, ...(port === undefined ? {} : { port }) };
      const { caBundle } = fill(admin, server.ca, hook, 'service', {}).clientConfig as { caBundle: string };
      await install(admin, services, { clientConfig: { service, caBundle } });
      hook.reviews.length = 0;
      must('it is created', await author.create(configMaps, named('a')), match.created);
      must('the webhook was called', told(hook, 'operation'), match.equal(['CREATE']));
    },
  );
}

check(
  'WEBHOOK-SERVICE-01.2',
  'a webhook names a port of the service that leads nowhere → the call fails',
  ['WEBHOOK-SERVICE-01'],
  { setup: resolving },
  async ({ admin, author, services }) => {
    const server = await services.get(admissionWebhook);
    const hook = server.hook();
    const caBundle = Buffer.from(server.ca).toString('base64');
    const service = { ...SERVICE, path: new URL(hook.url).pathname, port: 9443 };
    await install(admin, services, { clientConfig: { service, caBundle } });
    must('the call fails', await author.create(configMaps, named('a')), match.error);
    must('nobody was called', hook.reviews, match.size(0));
  },
);

check(
  'WEBHOOK-URL-01.1',
  'a webhook has the name of a service as the host of its url → it is refused, or its calls fail',
  ['WEBHOOK-URL-01'],
  async ({ admin, author, services }) => {
    const server = await services.get(admissionWebhook);
    const url = `https://${SERVICE.name}.${SERVICE.namespace}.svc/`;
    const clientConfig = { url, caBundle: Buffer.from(server.ca).toString('base64') };
    const webhooks = [fill(admin, server.ca, server.hook(), 'named', { clientConfig })];
    const written = await admin.create(webhookConfigurations, named('refused', { webhooks }), { dryRun: 'All' });
    if (!written.succeeded) {
      must('it is refused', written, match.refusal);
      return;
    }
    await install(admin, services, { clientConfig });
    must('its calls fail', await author.create(configMaps, named('a')), match.error);
  },
);

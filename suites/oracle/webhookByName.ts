import { admissionWebhook, answerTo, type Behaviour } from '../harness/services/admissionWebhook.ts';
import type { Services } from '../harness/services/services.ts';
import { DENIED, UNANSWERED } from '../sequences/areas/hooked.ts';
import type { Words } from '../sequences/step.ts';

/** What steps name a webhook by: its address, and the authority of its certificate in Base64. */
export type WebhookWords = Required<Pick<Words, 'hook' | 'ca'>>;

/** Opens the webhook that drawn sequences register; it lives as long as the services. */
export async function webhookByName(services: Services): Promise<WebhookWords> {
  const server = await services.get(admissionWebhook);
  return { hook: server.hook().does(byName).url, ca: Buffer.from(server.ca).toString('base64') };
}

/** Denies by the name of the object, and gives some names no answer that counts. */
const byName: Behaviour = (review) => {
  const name = String(review.request.name);
  if (name.endsWith(UNANSWERED)) return { status: 500, body: 'broken' };
  return answerTo(review, { allowed: !name.endsWith(DENIED) });
};

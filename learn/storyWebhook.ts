import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAuthority, issue } from '../reference/transport/certificates.ts';

/** A validating webhook on loopback, for stories in which somebody outside says no. */
export interface StoryWebhook {
  readonly url: string;
  /** Authority of its certificate, as `caBundle` has it. */
  readonly caBundle: string;
  close(): Promise<void>;
}

/**
 * Starts it. It refuses each object whose text holds `refuses`, and says why.
 *
 * @param now milliseconds since the epoch, on the machine's clock: certificates are judged by it
 */
export async function startWebhook(rule: { refuses: string; because: string }, now: number): Promise<StoryWebhook> {
  const authority = await createAuthority('learn', now);
  const served = await issue(authority, { commonName: 'webhook', hosts: ['127.0.0.1'], usage: 'server' }, now);
  const server = https.createServer({ cert: served.certificate, key: served.key }, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const review = JSON.parse(Buffer.concat(chunks).toString()) as {
      apiVersion: string;
      request: { uid: string; object: unknown };
    };
    const allowed = !JSON.stringify(review.request.object ?? '').includes(rule.refuses);
    const { uid } = review.request;
    const answer = allowed ? { uid, allowed } : { uid, allowed, status: { message: rule.because, code: 403 } };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ apiVersion: review.apiVersion, kind: 'AdmissionReview', response: answer }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/validate`,
    caBundle: Buffer.from(authority.pem).toString('base64'),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

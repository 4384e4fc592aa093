import { groupName } from '../../fixtures/dialects/dialect.ts';
import { asJson } from '../api/object.ts';
import { numberOf, objectOf, textOf } from '../api/parts.ts';
import { WorkQueue } from '../collections/workQueue.ts';
import type { Services } from '../contracts/call.ts';
import type { Client, ObjectAddress } from '../contracts/client.ts';
import { digest } from '../ports/hash.ts';
import { uuid } from '../random.ts';
import { formatMicroTime } from '../time.ts';

export interface IdentityLeaseOptions {
  /** Of the machine, and the port: both together tell this server from others over the same store. */
  readonly hostname: string;
  readonly port: number;
  /** Milliseconds between renewals. */
  readonly renewInterval: number;
  /** Milliseconds for which a renewal counts. */
  readonly duration: number;
}

/** Milliseconds between two looks for leases of servers that are gone. */
const COLLECTION_INTERVAL = 3_600_000;

/**
 * Tells by a Lease in the system namespace that this server is there, renews it, and removes the leases of servers that
 * have not renewed theirs in time. Resolves when the lease is there.
 */
export async function holdIdentityLease(
  { clock, random, dialect }: Services,
  client: Client,
  { hostname, port, renewInterval, duration }: IdentityLeaseOptions,
): Promise<{ stop(): void }> {
  const { componentPrefix, labelDomain, systemNamespace } = dialect;
  const type = client.type(groupName(dialect, 'coordination'), 'leases');
  if (!type) return { stop() {} };
  const name = `apiserver-${base32(digest('sha256', `${hostname}:${port}`).subarray(0, 16))}`;
  const address: ObjectAddress = { type, namespace: systemNamespace, name };
  const holderIdentity = `${name}_${uuid(random)}`;
  const identity = `apiserver.${labelDomain}/identity`;
  const labels = { [identity]: `${componentPrefix}apiserver`, [`${labelDomain}/hostname`]: hostname };
  const queue = new WorkQueue(clock);

  async function renew(): Promise<void> {
    const spec = {
      holderIdentity,
      leaseDurationSeconds: duration / 1000,
      renewTime: formatMicroTime(clock.now()),
    };
    const changed = await client.change(address, (present) => ({
      ...present,
      metadata: { ...present.metadata, labels: { ...present.metadata.labels, ...labels } },
      spec: { ...objectOf(asJson(present).spec), ...spec },
    }));
    if (!changed) await client.create(address, { metadata: { labels }, spec });
  }

  async function collect(): Promise<void> {
    if (!type) return;
    for (const lease of await client.list(type, systemNamespace)) {
      const { metadata } = lease;
      const { renewTime, leaseDurationSeconds } = objectOf(asJson(lease).spec);
      const renewed = Date.parse(textOf(renewTime));
      const expired = !(renewed + (numberOf(leaseDurationSeconds) ?? 0) * 1000 >= clock.now());
      if (metadata.labels?.[identity] !== labels[identity] || !expired) continue;
      await client.remove({ ...address, name: metadata.name ?? '' }, metadata.uid, 'Background');
    }
  }

  queue.add('renew', renew);
  await queue.idle();
  const timers = [
    clock.every(renewInterval, () => queue.add('renew', renew)),
    clock.every(COLLECTION_INTERVAL, () => queue.add('collect', collect)),
  ];
  return {
    stop() {
      for (const timer of timers) timer.cancel();
      queue.stop();
    },
  };
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

/** Bytes as text of letters and digits, five bits each, without padding. */
function base32(bytes: Uint8Array): string {
  let text = '';
  let held = 0;
  let bits = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += ALPHABET[(held >> (bits - 5)) & 31];
    held &= (1 << bits) - 1;
  }
  return bits > 0 ? text + ALPHABET[(held << (5 - bits)) & 31] : text;
}

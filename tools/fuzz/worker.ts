import { openSync, writeSync } from 'node:fs';
import { campaign, type Found } from './campaign.ts';
import { SURFACES } from './surfaces/all.ts';

/** What the process is told on its command line, as JSON. */
export interface Errand {
  readonly surfaces: readonly string[];
  readonly seed: number;
  readonly runs: number;
  /** Milliseconds for each surface. */
  readonly time: number;
  readonly run: number | undefined;
  /** Where the request under way is kept for whoever finds this process stopped. */
  readonly file: string;
}

/** What the process says: that it lives, and how a surface ended. */
export type Message =
  | { readonly kind: 'alive' }
  | { readonly kind: 'begun'; readonly surface: string }
  | {
      readonly kind: 'done';
      readonly surface: string;
      readonly runs: number;
      readonly requests: number;
      /** What the dearest request took, in milliseconds of the processor. */
      readonly dearest: number;
      readonly found: Found | undefined;
    };

const BEAT = 1_000;

async function main(errand: Errand): Promise<void> {
  const say = (message: Message) => process.send?.(message);
  const beat = setInterval(() => say({ kind: 'alive' }), BEAT);
  const file = openSync(errand.file, 'w');
  for (const surface of SURFACES.filter(({ name }) => errand.surfaces.includes(name))) {
    say({ kind: 'begun', surface: surface.name });
    let requests = 0;
    let dearest = 0;
    const outcome = await campaign(surface, {
      ...errand,
      listener: {
        begins(text) {
          requests++;
          const bytes = Buffer.from(`${Buffer.byteLength(text)}\n${text}`);
          writeSync(file, bytes, 0, bytes.length, 0);
        },
        ended(work) {
          dearest = Math.max(dearest, work);
        },
      },
    });
    say({ kind: 'done', surface: surface.name, ...outcome, requests, dearest });
  }
  clearInterval(beat);
  process.disconnect?.();
}

await main(JSON.parse(process.argv[2] as string) as Errand);

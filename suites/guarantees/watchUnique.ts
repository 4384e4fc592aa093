import { Findings, type Guarantee } from './guarantee.ts';
import { keysIn } from './streams.ts';

export const watchUnique: Guarantee = {
  name: 'watch-unique',
  sentence: 'No watch tells the same change twice.',
  examine: ({ streams }) => {
    const findings = new Findings();
    for (const { opening, events } of streams) {
      const seen = new Set<string>();
      for (const key of keysIn(events)) {
        findings.case(!seen.has(key), () => `${opening.client} was told ${key} twice`, [opening.number]);
        seen.add(key);
      }
    }
    return findings.done();
  },
};

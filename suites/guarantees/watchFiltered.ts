import { isState } from './changes.ts';
import { Findings, type Guarantee } from './guarantee.ts';
import { selectionOfStream } from './streams.ts';

export const watchFiltered: Guarantee = {
  name: 'watch-filtered',
  sentence: 'A watch tells states of objects that it selects, and of no others.',
  examine: ({ streams }) => {
    const findings = new Findings();
    for (const stream of streams) {
      const selection = selectionOfStream(stream);
      // How an object looks in the event of its leaving the selection is not specified.
      for (const event of stream.events.filter(isState)) {
        const selected = selection.selects(event.object.metadata);
        if (selected === undefined) continue;
        const { name, namespace } = event.object.metadata;
        findings.case(
          selected,
          () => `${stream.opening.client} was told of ${namespace}/${name}, which it did not select`,
          [stream.opening.number],
        );
      }
    }
    return findings.done();
  },
};

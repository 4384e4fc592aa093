import { check, match, must, unsupported } from '../../harness/vocabulary.ts';
import { gatesAt } from '../feature-gate-lifecycle/gatesOf.ts';

check(
  'the operator sets the gate of a feature that is generally available → the server warns of it when it starts',
  ['GATE-WARN-01'],
  async ({ start, watcher }) => {
    const [gate] = await gatesAt(watcher, '');
    if (!gate) unsupported('there is no such gate');
    const silent = await start({ flags: [] });
    must('a server without it starts', silent, match.starts);
    const named = match.text(`a line that names ${gate.name}`, new RegExp(`\\b${gate.name}\\b`));
    must('it says nothing of the gate', silent.said, match.not(named));
    const server = await start({ flags: [`--feature-gates=${gate.name}=${gate.on}`] });
    must('a server with it starts', server, match.starts);
    must('it names the gate', server.said, named);
  },
);

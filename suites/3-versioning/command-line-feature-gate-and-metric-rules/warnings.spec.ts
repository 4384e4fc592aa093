import { check, match, must, unsupported } from '../../harness/index.ts';
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

/** A flag that has been deprecated for long; where a server has another flag, or none of the kind, nothing is known. */
const DEPRECATED_FLAG = 'apiserver-count';

check(
  'the operator uses a deprecated flag → the server starts, and warns of it',
  ['FLAG-WARN-01'],
  async ({ start }) => {
    const server = await start({ flags: [`--${DEPRECATED_FLAG}=1`] });
    if (server.failure !== undefined) unsupported(`it has no flag --${DEPRECATED_FLAG}`);
    const named = match.text(`a line that names ${DEPRECATED_FLAG}`, new RegExp(`\\b${DEPRECATED_FLAG}\\b`));
    must('it names the flag', server.said, named);
  },
);

import { join } from 'node:path';
import { readScenarios } from '../../learn/library.ts';
import { type LearnServer, serveLearn } from '../../learn/server.ts';
import { EXIT } from '../../reports/outcome.ts';
import { choice, readFlags, wholeNumber } from '../flags.ts';
import { ROOT } from '../root.ts';
import { UsageError } from '../usageError.ts';
import { LEARN_FLAGS } from './learnFlags.ts';

/** `touchstone learn`: serves the page until Ctrl-C. @returns 0. Throws UsageError. */
export async function learn(argv: readonly string[]): Promise<number> {
  const { flags, words } = readFlags(argv, LEARN_FLAGS);
  if (words.length > 0) throw new UsageError(`learn takes no words, only flags; what is ${JSON.stringify(words[0])}?`);
  const port = flags.port === undefined ? 0 : wholeNumber('port', flags.port, 0, 65_535);
  const dialect = choice('dialect', flags.dialect ?? 'kubernetes', ['kubernetes', 'cluster']);
  const server = await opened(port, dialect);
  console.log(`Learn at     ${server.base}`);
  console.log('Ctrl-C stops it.');
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  await server.close();
  return EXIT.conformant;
}

async function opened(port: number, dialect: string): Promise<LearnServer> {
  const scenarios = readScenarios(join(ROOT, 'fixtures/scenarios'));
  try {
    return await serveLearn({ scenarios, dialect, page: join(ROOT, 'learn/page'), port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new UsageError(`Port ${port} is taken; --port=0 takes a free one.`);
    if (code === 'EACCES') throw new UsageError(`This user may not listen on port ${port}.`);
    throw error;
  }
}

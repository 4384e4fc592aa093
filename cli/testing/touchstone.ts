import { main } from '../main.ts';

/** The command from its sources, for tests that need it as a process. */
process.exitCode = await main(process.argv.slice(2));

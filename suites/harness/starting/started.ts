import type { Actor } from '../actor.ts';
import { inconclusive, unsupported } from '../endings.ts';
import { currentEvidence } from '../evidence.ts';
import type { Matcher } from '../matching/matcher.ts';
import { difference } from '../matching/matcher.ts';
import { type Site, secretsOf } from '../target/site.ts';
import type { Identity } from '../target/target.ts';
import { LaunchFailed, type Ready, UnfitCommand } from './launch.ts';
import { letGo, type OwnServer, type OwnServers } from './ownServers.ts';
import type { Setup, SetupOf } from './setup.ts';

/** Makes an actor of a check at a server that the check started. */
export type EnlistAt = (site: Site, name: string, identity: Identity | undefined) => Actor;

/** A server that a check started, or tried to start. */
export class Started {
  /** Why it does not run, with the last line it wrote; `undefined` when it runs. */
  readonly failure: string | undefined;
  #server: OwnServer | undefined;
  readonly #enlist: EnlistAt;

  constructor(parts: { server: OwnServer | undefined; failure: string | undefined; enlist: EnlistAt }) {
    this.#server = parts.server;
    this.failure = parts.failure;
    this.#enlist = parts.enlist;
  }

  /** Somebody at this server: `admin`, `stranger`, an identity of the setup, or whoever these credentials are of. */
  as(name: string, identity?: Identity): Actor {
    const { site } = this.#running();
    return this.#enlist(site, name, identity ?? site.target.identities[name === 'stranger' ? 'plain' : name]);
  }
  /** Writes a file of the setup anew. */
  write(name: string, content: string | object): void {
    this.#running().files.write(name, content);
    // In text that is no JSON nobody can tell where the secrets are, and token files are such text.
    const told = typeof content === 'string' ? `${content.length} characters` : JSON.stringify(content, null, 2);
    currentEvidence().note(`${name} is written anew`, told);
  }
  /** Tells the server to end, in its own time, as whoever runs it would. */
  tellToEnd(): void {
    this.#running().launched.tellToEnd();
    currentEvidence().note('the server is told to end', '');
  }
  /** What is in a file of the setup by now, such as a log that the server writes. */
  read(name: string): string {
    return this.#running().files.read(name);
  }
  /** Where it listens now, and what its identities show. */
  get ready(): Ready {
    return this.#running().launched.ready;
  }
  /** Ends the server: as it asks for, or at once, as a loss of power would. Its files and folders stay. */
  async end(how: 'stop' | 'kill'): Promise<void> {
    const { launched, site } = this.#running();
    await launched[how]();
    await site.close();
    currentEvidence().note(how === 'kill' ? 'the server is killed' : 'the server is stopped', '');
  }
  /** Starts it once more with the flags, files and folders that it had; actors are to be had anew. */
  async again(): Promise<Pick<Started, 'failure'>> {
    const before = this.#running();
    try {
      this.#server = { ...before, ...(await before.again()) };
      currentEvidence().note('the server is started again', before.files.flags.join('\n'));
      return { failure: undefined };
    } catch (error) {
      if (!(error instanceof LaunchFailed)) throw error;
      return { failure: error.message };
    }
  }
  /** What it wrote so far for whoever started it. */
  get said(): string {
    return this.#running().launched.said();
  }
  async stop(): Promise<void> {
    if (this.#server) await letGo(this.#server);
  }
  #running(): OwnServer {
    return this.#server ?? inconclusive(`the server did not start: ${this.failure}`);
  }
}

/** The server runs. */
export const starts: Matcher<Pick<Started, 'failure'>> = {
  allows: 'the server starts',
  differences: ({ failure }) => (failure === undefined ? [] : [difference('', 'a server that runs', failure)]),
};
/** The server refuses what it was started with: it ends by itself before it serves. */
export const refusesToStart: Matcher<Started> = {
  allows: 'the server ends before it serves',
  differences: ({ failure }) =>
    failure?.startsWith(ENDED) ? [] : [difference('', 'a server that refuses to start', failure ?? 'it started')],
};
/** How the message of {@link LaunchFailed} begins where the server ended by itself. */
const ENDED = 'The server ended';

/** Starts a server for one check. Whether it comes up is a fact about the target, so it is a value and no exception. */
export async function startFor(own: OwnServers, setup: Setup | SetupOf, enlist: EnlistAt): Promise<Started> {
  const evidence = currentEvidence();
  try {
    const server = await own.start(setup);
    evidence.hide(secretsOf(server.site.target));
    evidence.note('a server is started', server.files.flags.join('\n'));
    return new Started({ server, failure: undefined, enlist });
  } catch (error) {
    if (error instanceof UnfitCommand) unsupported(error.message);
    if (!(error instanceof LaunchFailed)) throw error;
    evidence.note('a server is started, and does not come up', error.message);
    return new Started({ server: undefined, failure: error.message, enlist });
  }
}

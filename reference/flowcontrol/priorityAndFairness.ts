import type { User } from '../api/identity.ts';
import type { RequestInfo } from '../api/request.ts';
import { tooManyRequests } from '../api/status.ts';
import type { Admitted, FlowControl, FlowFigures, LevelFigures } from '../contracts/flowControl.ts';
import type { Clock } from '../time.ts';
import type { Waiting } from './fairQueues.ts';
import { byPrecedence, type FlowSchema, flowOf } from './flowSchema.ts';
import { type LevelOptions, PriorityLevel } from './priorityLevel.ts';

/** What is stored of flow control, or what a server is never without. */
export interface FlowConfiguration {
  readonly schemas: readonly FlowSchema[];
  readonly levels: readonly LevelOptions[];
}

export interface FairnessOptions {
  /** Seats in all: requests served at the same time. */
  readonly seats: number;
  /** Milliseconds that a request waits for a seat at most. */
  readonly patience: number;
  readonly clock: Clock;
}

/** A schema with the level it leads to; what every request of it that takes a seat is told and gives back. */
class Flow implements Admitted {
  readonly schema: FlowSchema;
  readonly level: PriorityLevel;
  readonly headers: Readonly<Record<string, string>>;
  readonly figures: FlowFigures;
  readonly #left: (flow: Flow) => void;

  constructor(of: Pick<Flow, 'schema' | 'level' | 'headers' | 'figures'>, left: (flow: Flow) => void) {
    this.schema = of.schema;
    this.level = of.level;
    this.headers = of.headers;
    this.figures = of.figures;
    this.#left = left;
  }
  release(): void {
    this.#left(this);
  }
}

/** The schema that takes what no other does. */
const CATCH_ALL = 'catch-all';

/** What the answers to requests of a schema and level tell of how they were sorted. */
export type FlowHeaders = (schema: FlowSchema, level: LevelOptions) => Readonly<Record<string, string>>;

/**
 * Sorts requests by FlowSchemas into priority levels, each with seats of its own and fair queues for those that find
 * none. A level may have seats that others lend as long as they do not need them; a lender never waits for its own.
 * Watches and other streams take a seat until their answer begins.
 */
export class PriorityAndFairness implements FlowControl {
  readonly #options: FairnessOptions;
  readonly #headersOf: FlowHeaders;
  readonly #levels = new Map<string, PriorityLevel>();
  readonly #figures = new Map<string, FlowFigures>();
  #flows: readonly Flow[] = [];
  /** Requests that wait, of all levels. */
  #waiting = 0;

  constructor(options: FairnessOptions, headersOf: FlowHeaders) {
    this.#options = options;
    this.#headersOf = headersOf;
  }

  /** What came of requests so far, for each schema and level that had one. */
  get flows(): Iterable<FlowFigures> {
    return this.#figures.values();
  }
  get levels(): LevelFigures[] {
    return [...this.#levels].map(([level, { nominal }]) => ({ level, nominal }));
  }

  /**
   * Sorts by another configuration from now on. Schemas that name no level are passed over. What waits or is served in a
   * level that has gone comes to its end there.
   */
  configure({ schemas, levels }: FlowConfiguration): void {
    const wanted = new Map(levels.map((options) => [options.name, options]));
    for (const [name, level] of this.#levels) {
      const idle = level.executing === 0 && level.waiting === 0;
      if (!wanted.has(name) && idle) this.#levels.delete(name);
    }
    for (const [name, options] of wanted) {
      const level = this.#levels.get(name);
      if (level) level.replace(options);
      else this.#levels.set(name, new PriorityLevel(options));
    }
    const shares = levels.reduce((sum, { limited }) => sum + (limited?.shares ?? 0), 0);
    for (const level of this.#levels.values()) {
      const own = wanted.has(level.options.name) ? (level.options.limited?.shares ?? 0) : 0;
      level.nominal = shares === 0 ? 0 : Math.ceil((this.#options.seats * own) / shares);
    }
    this.#flows = [...schemas].sort(byPrecedence).flatMap((schema) => {
      const level = wanted.has(schema.level) ? this.#levels.get(schema.level) : undefined;
      if (!level) return [];
      const headers = this.#headersOf(schema, level.options);
      const figures = this.#figuresOf(schema);
      return [new Flow({ schema, level, headers, figures }, (flow) => this.#leave(flow))];
    });
    this.#serveWaiting();
  }

  enter(info: RequestInfo, user: User, request: { readonly signal: AbortSignal }): Admitted | Promise<Admitted> {
    const flow = this.#flowOf(info, user);
    const { level } = flow;
    if (level.waiting === 0 && this.#hasSeat(level)) {
      seat(flow);
      return flow;
    }
    return this.#wait(flow, flowOf(flow.schema, info, user), request.signal);
  }

  #leave({ level, figures }: Flow): void {
    level.executing--;
    figures.executing--;
    if (this.#waiting > 0) this.#serveWaiting();
  }

  #figuresOf({ name, level }: FlowSchema): FlowFigures {
    const key = `${name} ${level}`;
    let figures = this.#figures.get(key);
    if (!figures) {
      const rejected = { 'concurrency-limit': 0, 'queue-full': 0, 'time-out': 0, cancelled: 0 };
      figures = { schema: name, level, executing: 0, waiting: 0, dispatched: 0, rejected };
      this.#figures.set(key, figures);
    }
    return figures;
  }

  #flowOf(info: RequestInfo, user: User): Flow {
    for (const flow of this.#flows) if (flow.schema.matches(info, user)) return flow;
    // Somebody who is in none of the two groups that everybody else is in.
    const rest = this.#flows.find(({ schema }) => schema.name === CATCH_ALL);
    if (!rest) throw tooManyRequests();
    return rest;
  }

  #hasSeat(level: PriorityLevel): boolean {
    const { executing, nominal } = level;
    // A level without shares serves one at a time.
    if (!level.options.limited || executing < Math.max(1, nominal)) return true;
    if (executing >= level.most) return false;
    let free = 0;
    for (const other of this.#levels.values()) free += other === level ? -other.borrowed : other.lent - other.borrowed;
    return free > 0;
  }

  #wait(flow: Flow, name: string, signal: AbortSignal): Promise<Admitted> {
    const { level, figures } = flow;
    const { clock, patience } = this.#options;
    return new Promise<Admitted>((resolve, reject) => {
      const leave = (reason: 'time-out' | 'cancelled') => {
        level.leave(waiting);
        figures.rejected[reason]++;
        done();
        reject(tooManyRequests());
      };
      const cancel = () => leave('cancelled');
      const done = () => {
        this.#waiting--;
        figures.waiting--;
        timer.cancel();
        signal.removeEventListener('abort', cancel);
      };
      const waiting: Waiting = {
        seats: 1,
        proceed: () => {
          done();
          seat(flow);
          resolve(flow);
        },
      };
      if (!level.join(name, waiting)) {
        figures.rejected[level.options.limited?.queuing ? 'queue-full' : 'concurrency-limit']++;
        reject(tooManyRequests());
        return;
      }
      this.#waiting++;
      figures.waiting++;
      const timer = clock.after(patience, () => leave('time-out'));
      signal.addEventListener('abort', cancel, { once: true });
    });
  }

  #serveWaiting(): void {
    for (const level of this.#levels.values()) {
      while (level.waiting > 0 && this.#hasSeat(level)) level.take()?.proceed();
    }
  }
}

function seat({ level, figures }: Flow): void {
  level.executing++;
  figures.executing++;
  figures.dispatched++;
}

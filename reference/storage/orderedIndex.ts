import type { Entry } from '../contracts/entry.ts';

/** What a key was from one revision on; undefined: absent. */
export interface Version {
  readonly since: number;
  readonly entry: Entry | undefined;
}

/** A key with its present state and the older states that history still needs, oldest first. */
export interface KeyNode {
  readonly key: string;
  /** How the key sorts (see byteOrder). */
  readonly order: string;
  present: Entry | undefined;
  /** Revision at which the present state began. */
  since: number;
  /** Most keys have none, and there are many keys. */
  past: Version[] | undefined;
}

/** The state of a key at a revision. */
export function stateAt(node: KeyNode, revision: number): Entry | undefined {
  if (node.since <= revision) return node.present;
  const { past = [] } = node;
  for (let i = past.length - 1; i >= 0; i--) {
    const version = past[i] as Version;
    if (version.since <= revision) return version.entry;
  }
  return undefined;
}

interface Chunk {
  /** The index that may change it; others that have it copy it first. */
  readonly holder: object;
  nodes: KeyNode[];
  /** Nodes whose present state is not absence. */
  alive: number;
  /** Last revision that changed a node here: reads at or after it may trust `alive`. */
  changed: number;
}
interface Position {
  chunk: number;
  offset: number;
}

const FULL = 256;
const SPARSE = 64;

/**
 * Keys in order, in sorted chunks of bounded size: finding is two binary searches, inserting moves at most one
 * chunk, and counting what lies between two keys touches only the chunks that changed since the revision asked for.
 */
export class OrderedIndex {
  #chunks: Chunk[] = [];
  /** Stands for this index as the holder of its chunks; another one after each fork. */
  #holder: object = {};
  /** Last revision that changed a node which is no longer here. */
  #removed = 0;

  /** Another index with the same nodes, which neither may change from then on; a chunk is copied when it is changed. */
  fork(): OrderedIndex {
    const fork = new OrderedIndex();
    fork.#chunks = [...this.#chunks];
    fork.#removed = this.#removed;
    this.#holder = {};
    return fork;
  }

  /** Puts a node in the place of the one with the same order. */
  replace(node: KeyNode): void {
    const { chunk, offset } = this.#locate(node.order);
    this.#own(chunk).nodes[offset] = node;
  }

  /** Adds a node whose order is not in the index yet. */
  insert(node: KeyNode): void {
    const at = this.#locate(node.order);
    if (at.chunk === this.#chunks.length) {
      // Behind everything: the last chunk takes it.
      if (at.chunk === 0) this.#chunks.push({ holder: this.#holder, nodes: [], alive: 0, changed: 0 });
      else at.chunk--;
      at.offset = this.#at(at.chunk).nodes.length;
    }
    const chunk = this.#own(at.chunk);
    chunk.nodes.splice(at.offset, 0, node);
    if (node.present) chunk.alive++;
    if (node.since > chunk.changed) chunk.changed = node.since;
    if (chunk.nodes.length > FULL) this.#split(at.chunk);
  }

  /** Tells that a node of the index changed its present state at `revision`; `alive` is +1, 0 or -1. */
  changed(node: KeyNode, revision: number, alive: number): void {
    const chunk = this.#own(this.#locate(node.order).chunk);
    chunk.alive += alive;
    chunk.changed = revision;
  }

  remove(node: KeyNode): void {
    const { chunk: at, offset } = this.#locate(node.order);
    if (this.#chunks[at]?.nodes[offset] !== node) return;
    if (node.since > this.#removed) this.#removed = node.since;
    const chunk = this.#own(at);
    chunk.nodes.splice(offset, 1);
    if (node.present) chunk.alive--;
    if (chunk.nodes.length === 0) this.#chunks.splice(at, 1);
    else if (chunk.nodes.length < SPARSE) this.#join(at);
  }

  /**
   * States at `revision` of the keys that sort at or behind `from` and before `to` (undefined: no end), at most
   * `limit` of them (0: all), and how many more there are.
   */
  range(
    from: string,
    to: string | undefined,
    revision: number,
    limit: number,
  ): { entries: Entry[]; remaining: number } {
    const end: Position = to === undefined ? { chunk: this.#chunks.length, offset: 0 } : this.#locate(to);
    const entries: Entry[] = [];
    const at = this.#locate(from);
    for (; at.chunk < this.#chunks.length && at.chunk <= end.chunk; at.chunk++, at.offset = 0) {
      const nodes = this.#at(at.chunk).nodes;
      const stop = at.chunk === end.chunk ? end.offset : nodes.length;
      for (; at.offset < stop; at.offset++) {
        const node = nodes[at.offset] as KeyNode;
        const entry = node.since <= revision ? node.present : stateAt(node, revision);
        if (entry === undefined) continue;
        entries.push(entry);
        if (entries.length === limit) {
          at.offset++;
          return { entries, remaining: this.#count(at, end, revision) };
        }
      }
    }
    return { entries, remaining: 0 };
  }

  /**
   * A revision at or after the last one that changed a key that sorts at or behind `from` and before `to` (undefined: no
   * end). It costs the same however many keys there are, but for a look at each chunk.
   */
  lastChange(from: string, to: string | undefined): number {
    const last = to === undefined ? this.#chunks.length - 1 : Math.min(this.#locate(to).chunk, this.#chunks.length - 1);
    let revision = this.#removed;
    for (let at = this.#locate(from).chunk; at <= last; at++) revision = Math.max(revision, this.#at(at).changed);
    return revision;
  }

  #count(from: Position, end: Position, revision: number): number {
    let count = 0;
    for (let i = from.chunk; i < this.#chunks.length && i <= end.chunk; i++) {
      const { nodes, alive, changed } = this.#at(i);
      const start = i === from.chunk ? from.offset : 0;
      const stop = i === end.chunk ? end.offset : nodes.length;
      if (start === 0 && stop === nodes.length && changed <= revision) count += alive;
      else for (let j = start; j < stop; j++) if (stateAt(nodes[j] as KeyNode, revision)) count++;
    }
    return count;
  }

  /** The first position whose node sorts at or behind `order`. */
  #locate(order: string): Position {
    let low = 0;
    let high = this.#chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const { nodes } = this.#at(middle);
      if ((nodes[nodes.length - 1] as KeyNode).order < order) low = middle + 1;
      else high = middle;
    }
    const chunk = low;
    if (chunk === this.#chunks.length) return { chunk, offset: 0 };
    const { nodes } = this.#at(chunk);
    low = 0;
    high = nodes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((nodes[middle] as KeyNode).order < order) low = middle + 1;
      else high = middle;
    }
    return { chunk, offset: low };
  }

  #at(chunk: number): Chunk {
    return this.#chunks[chunk] as Chunk;
  }
  /** A chunk for changing it. */
  #own(at: number): Chunk {
    const chunk = this.#at(at);
    if (chunk.holder === this.#holder) return chunk;
    const own = { ...chunk, holder: this.#holder, nodes: [...chunk.nodes] };
    this.#chunks[at] = own;
    return own;
  }
  #split(at: number): void {
    const chunk = this.#own(at);
    const upper = chunk.nodes.splice(chunk.nodes.length >>> 1);
    const alive = countAlive(upper);
    chunk.alive -= alive;
    this.#chunks.splice(at + 1, 0, { holder: this.#holder, nodes: upper, alive, changed: chunk.changed });
  }
  #join(at: number): void {
    const next = this.#chunks[at + 1];
    const chunk = this.#own(at);
    if (!next || chunk.nodes.length + next.nodes.length > FULL / 2) return;
    chunk.nodes.push(...next.nodes);
    chunk.alive += next.alive;
    chunk.changed = Math.max(chunk.changed, next.changed);
    this.#chunks.splice(at + 1, 1);
  }
}

function countAlive(nodes: readonly KeyNode[]): number {
  let count = 0;
  for (const node of nodes) if (node.present) count++;
  return count;
}

import { parseVersion, type Stability, stabilityOf } from './apiVersion.ts';
import { isDay } from './calendar.ts';
import { type Fault, HistoryFault, pathText } from './fault.ts';
import { isRule, RULES } from './finding.ts';
import type { Alternative, ApiElement, ApiHistory, Gate, GroupRow, Metric, Release, Track } from './history.ts';
import type {
  WrittenAlternative,
  WrittenElement,
  WrittenGate,
  WrittenHistory,
  WrittenRow,
  WrittenTrack,
} from './written.ts';
import type { YamlDocument } from './yamlDocuments.ts';

const METRIC_CLASS: Readonly<Record<string, Stability>> = { ALPHA: 'alpha', BETA: 'beta', STABLE: 'ga' };
const STAGES: readonly Stability[] = ['alpha', 'beta', 'ga'];

/** Turns a written history into one whose names lead to what they name, and collects what is wrong on the way. */
export class Reader {
  readonly #document: YamlDocument;
  readonly #faults: Fault[] = [];
  #releases: readonly Release[] = [];

  constructor(document: YamlDocument) {
    this.#document = document;
  }

  /** @throws HistoryFault with all faults */
  history(written: WrittenHistory): ApiHistory {
    this.#releases = this.#readReleases(written);
    const { groups = [], configurations = [], commandLine = [], behaviors = [], gates = [], metrics = [] } = written;
    for (const section of ['groups', 'configurations', 'commandLine', 'behaviors', 'gates', 'metrics'] as const) {
      this.#once(written[section] ?? [], `/${section}`);
    }
    const history: ApiHistory = {
      releases: this.#releases,
      tracks: [
        ...groups.map((each, place) => this.#track(each, 'API group', `/groups/${place}`)),
        ...configurations.map((each, place) => this.#track(each, 'configuration', `/configurations/${place}`)),
      ],
      commandLine: commandLine.map((each, place) => ({
        ...this.#life(each, `/commandLine/${place}`),
        audience: each.audience,
        stability: each.stability ?? saidStability(each.name, each.documentation),
        warns: each.warns ?? true,
        replacement: alternative(each.replacement),
      })),
      behaviors: behaviors.map((each, place) => ({
        ...this.#life(each, `/behaviors/${place}`),
        stability: each.stability ?? 'ga',
        replacement: alternative(each.replacement),
      })),
      gates: gates.map((each, place) => this.#gate(each, `/gates/${place}`)),
      metrics: metrics.map((each, place): Metric => {
        const at = `/metrics/${place}`;
        const hidden = this.#release(each.hidden, `${at}/hidden`);
        return { ...this.#life(each, at), hidden, stability: METRIC_CLASS[each.stability] as Stability };
      }),
      exceptions: (written.exceptions ?? []).map((each, place) => {
        const at = `/exceptions/${place}`;
        if (!isRule(each.rule)) this.#fault(`${at}/rule`, `there is no rule ${each.rule}; there are ${RULE_NAMES}`);
        const announced = each.announced.flatMap(
          (name, index) => this.#release(name, `${at}/announced/${index}`) ?? [],
        );
        return { rule: each.rule, element: each.element, reason: each.reason, announced };
      }),
    };
    if (this.#faults.length > 0) throw new HistoryFault(this.#faults);
    return history;
  }

  #readReleases({ releases }: WrittenHistory): Release[] {
    this.#once(releases, '/releases');
    return releases.map(({ name, date, major }, place) => {
      const at = `/releases/${place}/date`;
      const before = releases[place - 1];
      if (!isDay(date)) this.#fault(at, `${JSON.stringify(date)} is no day; a day is written as 2024-05-31`);
      else if (before && isDay(before.date) && date <= before.date) {
        this.#fault(at, `${name} comes no later than ${before.name}; releases stand oldest first`);
      }
      return { name, date, place, major: major ?? (/^(\d+)\./.exec(name)?.[1] || '') };
    });
  }

  #track(written: WrittenTrack, what: Track['what'], at: string): Track {
    const rows = this.#rows(written, at);
    for (const version of Object.keys(written.replacements ?? {})) {
      this.#version(version, `${at}/replacements/${version}`);
    }
    const successors = Object.entries(written.replacements ?? {}).map(([version, name]) => {
      const own = name.slice(name.lastIndexOf('/') + 1);
      this.#version(own, `${at}/replacements/${version}`);
      return [version, { name, stability: parseVersion(own) ? stabilityOf(own) : 'ga' }] as const;
    });
    return {
      name: written.name,
      what,
      rows,
      successors: new Map(successors),
      elements: (written.elements ?? []).map((each, place) => this.#element(each, `${at}/elements/${place}`)),
    };
  }

  #rows({ timeline }: WrittenTrack, at: string): GroupRow[] {
    for (const [name, row] of Object.entries(timeline)) {
      const here = `${at}/timeline/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      this.#release(name, here);
      for (const version of Object.keys(row.versions)) this.#version(version, `${here}/versions/${version}`);
      for (const role of ['preferred', 'storage'] as const) {
        const version = row[role];
        if (version !== undefined) this.#version(version, `${here}/${role}`);
      }
    }
    const rows: GroupRow[] = [];
    let current: WrittenRow | undefined;
    for (const release of this.#releases) {
      current = (Object.hasOwn(timeline, release.name) ? timeline[release.name] : undefined) ?? current;
      if (!current) continue;
      const { versions, preferred, storage = preferred } = current;
      rows.push({ release, versions: new Map(Object.entries(versions)), preferred, storage });
    }
    return rows;
  }

  #element(written: WrittenElement, at: string): ApiElement {
    const { version, resource, field, value, becomes = [] } = written;
    this.#version(version, `${at}/version`);
    for (const [place, shape] of becomes.entries()) this.#version(shape.version, `${at}/becomes/${place}/version`);
    const name = [field === undefined ? resource : `${resource}.${field}`, ...(value === undefined ? [] : [value])];
    return {
      ...this.#life({ ...written, name: name.join('=') }, at),
      resource,
      version,
      whole: field === undefined,
      becomes: becomes.map((shape) => ({ ...shape, as: shape.as ?? field ?? resource })),
    };
  }

  #gate(written: WrittenGate, at: string): Gate {
    const { name, stages, notice } = written;
    const reached = STAGES.flatMap((stability) => {
      const release = this.#release(stages[stability], `${at}/stages/${stability}`);
      return release ? [{ stability, release }] : [];
    });
    reached.forEach(({ stability, release }, place) => {
      const before = reached[place - 1];
      if (!before || before.release.place < release.place) return;
      this.#fault(`${at}/stages/${stability}`, `${stability} does not come after ${before.stability}`);
    });
    const ended = this.#release(written.ended, `${at}/ended`);
    const removed = this.#release(written.removed, `${at}/removed`);
    this.#inOrder(at, [...reached.map(({ release }) => release), ended, removed]);
    const ga = reached.find(({ stability }) => stability === 'ga');
    if (ga && ended) this.#fault(`${at}/ended`, 'a feature that is ga is deprecated as a behavior and not given up');
    if ((ga || ended) && !notice) this.#fault(at, 'notice is needed once the feature is ga or given up');
    return { name, introduced: reached[0]?.release, stages: reached, ended, removed, notice };
  }

  #life<Written extends { name: string; introduced?: string; deprecated?: string; removed?: string }>(
    { name, ...written }: Written,
    at: string,
  ) {
    const introduced = this.#release(written.introduced, `${at}/introduced`);
    const deprecated = this.#release(written.deprecated, `${at}/deprecated`);
    const removed = this.#release(written.removed, `${at}/removed`);
    this.#inOrder(at, [introduced, deprecated, removed]);
    return { name, introduced, deprecated, removed };
  }

  #inOrder(at: string, releases: readonly (Release | undefined)[]): void {
    const known = releases.filter((release) => release !== undefined);
    const wrong = known.find((release, place) => (known[place - 1]?.place ?? -1) > release.place);
    if (wrong) this.#fault(at, `${wrong.name} is before what has to come first`);
  }

  #release(name: string | undefined, at: string): Release | undefined {
    if (name === undefined) return undefined;
    const release = this.#releases.find((each) => each.name === name);
    if (!release) this.#fault(at, `there is no release ${name} in releases`);
    return release;
  }

  #version(name: string, at: string): void {
    if (!parseVersion(name)) this.#fault(at, `${JSON.stringify(name)} is no version; one is v1, v1beta1 or v1alpha1`);
  }

  #once(named: readonly { readonly name: string }[], at: string): void {
    const seen = new Set<string>();
    named.forEach(({ name }, place) => {
      if (seen.has(name)) this.#fault(`${at}/${place}/name`, `${name} stands here a second time`);
      seen.add(name);
    });
  }

  #fault(pointer: string, reason: string): void {
    this.#faults.push({ line: this.#document.lineOf(pointer), path: pathText(pointer), reason });
  }
}

const RULE_NAMES = Object.keys(RULES).join(', ');

/** An element is generally available unless its name or its documentation says less (3/…/p1). */
function saidStability(name: string, documentation = ''): Stability {
  const said = (word: string) => [name, documentation].some((text) => new RegExp(`\\b${word}\\b`, 'i').test(text));
  if (said('alpha')) return 'alpha';
  return said('beta') ? 'beta' : 'ga';
}

function alternative(written: WrittenAlternative | undefined): Alternative | undefined {
  if (!written) return undefined;
  const { name, stability, ours = true } = written;
  return { name, ours, stability: stability ?? saidStability(name) };
}

import { addedFields } from '../api/addedFields.ts';
import { cloneJson, type JsonObject } from '../api/json.ts';
import { type ApiObject, asJson } from '../api/object.ts';
import type { DecisionTrace } from '../api/request.ts';
import type { Admission, AdmissionAttributes, AdmissionChain } from '../contracts/admission.ts';
import type { ResourceType } from '../contracts/resourceType.ts';
import { isPending } from '../contracts/store.ts';

/** An object, and what it was when it was last looked at. */
interface Seen {
  readonly object: ApiObject;
  readonly before: JsonObject;
}

/** Tells a trace what each plugin in a row changed or why it refused. The object is copied anew only after a change. */
class Explaining {
  readonly #attributes: AdmissionAttributes;
  readonly #trace: DecisionTrace;
  #seen: Seen | undefined;

  constructor(attributes: AdmissionAttributes, trace: DecisionTrace) {
    this.#attributes = attributes;
    this.#trace = trace;
  }

  /** Runs one step of a plugin. Throws what the plugin throws. */
  async run(plugin: Admission, step: 'mutate' | 'validate'): Promise<void> {
    const { object } = this.#attributes;
    if (step === 'mutate' && object && this.#seen?.object !== object) this.#look(object);
    try {
      await plugin[step]?.(this.#attributes);
    } catch (error) {
      const because = error instanceof Error ? error.message : String(error);
      this.#trace.note({ stage: 'admission', by: plugin.name, outcome: 'refused', because });
      throw error;
    }
    if (!this.#seen) return;
    const changed = addedFields(this.#seen.before, asJson(this.#seen.object));
    if (changed.length === 0) return;
    this.#look(this.#seen.object);
    this.#trace.note({
      stage: 'admission',
      by: plugin.name,
      outcome: 'changed',
      because: 'the plugin fills in or replaces fields of the object',
      details: { changed },
    });
  }

  #look(object: ApiObject): void {
    this.#seen = { object, before: cloneJson(asJson(object)) };
  }
}

/** Tells the trace that nobody refused a write. */
function noteAdmitted(trace: DecisionTrace, plugins: number): void {
  trace.note({
    stage: 'admission',
    by: 'admission',
    outcome: 'admitted',
    because: `none of ${plugins} plugins refuses it`,
  });
}

/** The plugins that are about one type, in their order. */
interface Concerned {
  readonly mutating: readonly Admission[];
  readonly validating: readonly Admission[];
}

/**
 * Plugins one after the other: all that change objects first, once more where one of them wants that, and all that
 * only judge them last. The first refusal counts.
 */
export function admissionChain(plugins: readonly Admission[]): AdmissionChain {
  const known = new WeakMap<ResourceType, Concerned>();
  const concerned = ({ endpoint: { type } }: AdmissionAttributes): Concerned => {
    let found = known.get(type);
    if (!found) {
      const all = plugins.filter((plugin) => plugin.concerns?.(type) ?? true);
      found = { mutating: all.filter((plugin) => plugin.mutate), validating: all.filter((plugin) => plugin.validate) };
      known.set(type, found);
    }
    return found;
  };
  return {
    name: plugins.map((plugin) => plugin.name).join(','),
    async mutate(attributes: AdmissionAttributes): Promise<void> {
      const { mutating } = concerned(attributes);
      await each(mutating, 'mutate', attributes);
      if (mutating.some((plugin) => plugin.reinvokes?.(attributes))) await each(mutating, 'mutate', attributes);
    },
    async validate(attributes: AdmissionAttributes): Promise<void> {
      await each(concerned(attributes).validating, 'validate', attributes);
      const { trace } = attributes.exchange;
      if (trace) noteAdmitted(trace, plugins.length);
    },
    async stop(): Promise<void> {
      for (const plugin of plugins) await plugin.stop?.();
    },
  };
}

async function each(plugins: readonly Admission[], step: 'mutate' | 'validate', attributes: AdmissionAttributes) {
  const { trace } = attributes.exchange;
  const explaining = trace && new Explaining(attributes, trace);
  for (const plugin of plugins) {
    const pending = explaining ? explaining.run(plugin, step) : plugin[step]?.(attributes);
    // Most have nothing to wait for.
    if (isPending<void>(pending)) await pending;
  }
}

import type { JsonObject } from '../api/json.ts';
import type { WritingFixture } from './writingFixture.ts';
import { writingFixture } from './writingFixture.ts';

/** A server in which a type Widget is defined, for tests. */
export interface WidgetFixture extends WritingFixture {
  /** Replaces parts of the definition, as a merge patch does. */
  redefine(spec: JsonObject): Promise<JsonObject>;
  /** Creates a Widget with this spec. */
  make(name: string, content: JsonObject, version?: string): ReturnType<WritingFixture['send']>;
}

export const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
export const WIDGET_DEFINITION = `${DEFINITIONS}/widgets.example.com`;
export const MERGE_PATCH = { 'content-type': 'application/merge-patch+json' };

/** Where Widgets are, in a version. */
export function widgets(name = '', version = 'v1'): string {
  return `/apis/example.com/${version}/namespaces/default/widgets${name === '' ? '' : `/${name}`}`;
}

/** A definition of Widget; `more` goes into the only version, or replaces other parts of the spec. */
export function widgetDefinition(schema: JsonObject, more: JsonObject = {}, spec: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, ...more }],
      ...spec,
    },
  };
}

/** The schema of an object whose spec has these properties. */
export function withSpec(properties: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: 'object', properties: { spec: { type: 'object', properties, ...more } } };
}

/** A fixture with the definition in place and served. Throws Error when it is refused. */
export async function widgetFixture(definition: JsonObject): Promise<WidgetFixture> {
  const fixture = await writingFixture({ follow: 'service' });
  const made = await fixture.send('POST', DEFINITIONS, { body: definition });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  await fixture.controllers.idle();
  return {
    ...fixture,
    async redefine(spec) {
      const { status, body } = await fixture.send('PATCH', WIDGET_DEFINITION, { headers: MERGE_PATCH, body: { spec } });
      if (status !== 200) throw new Error(JSON.stringify(body));
      await fixture.controllers.idle();
      return body;
    },
    make: (name, content, version = 'v1') =>
      fixture.send('POST', widgets('', version), {
        body: { apiVersion: `example.com/${version}`, kind: 'Widget', metadata: { name }, ...content },
      }),
  };
}

/** The causes of a refusal, a line each: field, then message. */
export function causesOf(body: JsonObject): string[] {
  const { details } = body as { details?: { causes?: { field?: string; message: string }[] } };
  return (details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`);
}

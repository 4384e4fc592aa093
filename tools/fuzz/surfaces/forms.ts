import { CORE_SCHEMA, load } from 'js-yaml';
import type { Json, JsonObject } from '../../../reference/api/json.ts';
import { readCbor } from '../../../reference/codecs/cborRead.ts';
import { describeCbor, encodeCbor } from '../../../reference/codecs/cborWrite.ts';
import { unwrap, wrap } from '../../../reference/codecs/protobufEnvelope.ts';
import { decodeMessage } from '../../../reference/codecs/protobufRead.ts';
import { encodeMessage } from '../../../reference/codecs/protobufWrite.ts';
import { yamlText } from '../../../reference/codecs/yamlText.ts';
import { decodeTyped } from '../../../reference/schema/decode.ts';
import { differences, versionOf } from '../objects.ts';
import { type FuzzServer, type Stored, textOf } from '../server.ts';

export const JSON_FORM = 'application/json';
export const YAML_FORM = 'application/yaml';
export const CBOR_FORM = 'application/cbor';
export const PROTOBUF_FORM = 'application/vnd.kubernetes.protobuf';

/** An object in a form that the server takes. */
export function written(form: string, object: JsonObject, { type, version, apiVersion }: Stored): Uint8Array {
  if (form === YAML_FORM) return Buffer.from(yamlText(object));
  if (form === CBOR_FORM) return describeCbor(encodeCbor(object, version.schema));
  if (form === PROTOBUF_FORM) return wrap(apiVersion, type.kind, encodeMessage(version.schema, object));
  return Buffer.from(JSON.stringify(object));
}

/** An object in a form, as JSON has it. */
function read(form: string, bytes: Uint8Array, { version, type, apiVersion }: Stored): JsonObject {
  if (form === YAML_FORM) return load(textOf(bytes), { schema: CORE_SCHEMA }) as JsonObject;
  if (form === CBOR_FORM) return readCbor(bytes, version.schema).value as JsonObject;
  const message = decodeMessage(version.schema, unwrap(bytes).raw);
  return decodeTyped(version.schema, message, { typeMeta: { apiVersion, kind: type.kind } }).object;
}

export const formsOf = ({ type }: Stored): readonly string[] =>
  type.custom ? [JSON_FORM, YAML_FORM, CBOR_FORM] : [JSON_FORM, YAML_FORM, CBOR_FORM, PROTOBUF_FORM];

/**
 * An object is the same in every form, and what is shown in one can be put back in it without a change.
 * @returns whether the object is still there
 */
export async function inForms(server: FuzzServer, stored: Stored, path: string): Promise<boolean> {
  const first = await server.send({ method: 'GET', target: path });
  // Its owner is not there, so that it is gone by now.
  if (first.code === 404) return false;
  const shown = server.json(first);
  for (const form of formsOf(stored)) {
    const heard = await server.send({ method: 'GET', target: path, headers: { accept: form } });
    if (heard.code !== 200) throw server.finding(`GET in ${form} answers ${heard.code}`);
    if (form !== JSON_FORM) {
      const apart = differences(shown as Json, read(form, heard.body, stored) as Json);
      if (apart.length > 0) throw server.finding(`${form} and JSON differ at ${apart.join('; ').slice(0, 800)}`);
    }
    const put = await server.send({ method: 'PUT', target: path, headers: { 'content-type': form }, body: heard.body });
    if (put.code === 405) continue;
    if (put.code !== 200) {
      throw server.finding(
        `what GET shows in ${form} is refused by PUT with ${put.code}: ${textOf(put.body).slice(0, 400)}`,
      );
    }
    const now = server.json(await server.send({ method: 'GET', target: path }));
    if (versionOf(now) !== versionOf(shown)) {
      throw server.finding(
        `PUT of what GET shows in ${form} changes ${differences(shown, now).join('; ').slice(0, 800)}`,
      );
    }
  }
  return true;
}
